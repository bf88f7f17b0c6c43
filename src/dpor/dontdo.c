#include "dpor/dontdo.h"

void dontdo_init(dontdo_stack *d) {
    *d = (dontdo_stack){.depth = 1};
    vector_push(&d->sets, (dontdo_set){0});
}

void dontdo_free(dontdo_stack *d) {
    for (uint32_t i = 0; i < d->sets.count; i++) {
        vector_free(&vector_at(&d->sets, i).steps);
        vector_free(&vector_at(&d->sets, i).sequences);
    }
    vector_free(&d->sets);
}

static bool same_step(const sleeper *a, const sleeper *b) {
    return a->thread == b->thread && a->choice == b->choice;
}

static bool has_sequence(const dontdo_set *set, const sleeper *steps, uint32_t count) {
    for (uint32_t i = 0; i < set->sequences.count; i++) {
        dontdo_sequence s = vector_at(&set->sequences, i);
        uint32_t same = 0;
        while (same < count && s.count == count &&
               same_step(&vector_at(&set->steps, s.first + same), &steps[same])) {
            same++;
        }
        if (same == count) {
            return true;
        }
    }
    return false;
}

/* Makes the last sequence longer. */
static void extend(dontdo_set *set, const sleeper *steps, uint32_t count) {
    vector_append(&set->steps, steps, count);
    vector_last(&set->sequences).count += count;
}

static void append(dontdo_stack *d, dontdo_set *set, const sleeper *steps, uint32_t count) {
    vector_push(&set->sequences, (dontdo_sequence){set->steps.count, 0, DONTDO_UNTAGGED});
    extend(set, steps, count);
    d->held++;
    d->most = d->held > d->most ? d->held : d->most;
}

void dontdo_check(const dontdo_stack *d) {
    uint32_t held = 0;
    CHECK(d->depth && d->depth <= d->sets.count);
    for (uint32_t i = 0; i < d->depth; i++) {
        const dontdo_set *set = &vector_at(&d->sets, i);
        for (uint32_t j = 0; j < set->sequences.count; j++) {
            dontdo_sequence s = vector_at(&set->sequences, j);
            CHECK(s.count && s.first + s.count <= set->steps.count);
        }
        held += set->sequences.count;
    }
    CHECK(held == d->held && held <= d->most);
}

void dontdo_add(dontdo_stack *d, uint32_t length, const sleeper *steps, uint32_t count,
                uint32_t tag) {
    CHECK(length < d->depth && count >= 2);
    dontdo_set *set = &vector_at(&d->sets, length);
    if (!has_sequence(set, steps, count)) {
        append(d, set, steps, count);
        vector_last(&set->sequences).tag = tag;
    }
}

void dontdo_revoke(dontdo_stack *d, uint32_t length, uint32_t tag) {
    dontdo_set *set = &vector_at(&d->sets, length);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < set->sequences.count; i++) {
        if (vector_at(&set->sequences, i).tag != tag) {
            vector_at(&set->sequences, kept++) = vector_at(&set->sequences, i);
        }
    }
    CHECK(d->held >= set->sequences.count - kept);
    d->held -= set->sequences.count - kept;
    set->sequences.count = kept;
}

/* u.p.w becomes u.w once p is taken, if p is independent of all of u (ISSTA 2019, section 4.2; the
 * steps of one thread stay in their order); without a p, all of it has to be independent. */
static void inherit(dontdo_stack *d, dontdo_set *to, const sleeper *steps, uint32_t count,
                    const event *taken) {
    uint32_t at = 0;
    while (at < count && steps[at].thread != taken->thread) {
        at++;
    }
    bool has = at < count;
    if (!sequence_is_independent(steps, at, taken->footprint) || (has && count == 1) ||
        (has && steps[at].choice != taken->choice)) {
        return;
    }
    append(d, to, steps, at);
    if (has) {
        extend(to, steps + at + 1, count - at - 1);
    }
}

void dontdo_descend(dontdo_stack *d, const event *taken) {
    if (d->sets.count == d->depth) {
        vector_push(&d->sets, (dontdo_set){0});
    }
    const dontdo_set *from = &vector_at(&d->sets, d->depth - 1);
    dontdo_set *to = &vector_at(&d->sets, d->depth++);
    vector_clear(&to->steps);
    vector_clear(&to->sequences);
    for (uint32_t i = 0; i < from->sequences.count; i++) {
        dontdo_sequence s = vector_at(&from->sequences, i);
        inherit(d, to, from->steps.items + s.first, s.count, taken);
    }
    DEBUG_INVARIANT(dontdo_check(d));
}

void dontdo_ascend(dontdo_stack *d, uint32_t length) {
    CHECK(length < d->depth);
    while (d->depth > length + 1) {
        d->held -= vector_at(&d->sets, --d->depth).sequences.count;
    }
    DEBUG_INVARIANT(dontdo_check(d));
}

bool dontdo_contains(const dontdo_stack *d, uint32_t length, uint32_t thread, uint32_t choice) {
    const dontdo_set *set = &vector_at(&d->sets, length);
    for (uint32_t i = 0; i < set->sequences.count; i++) {
        dontdo_sequence s = vector_at(&set->sequences, i);
        const sleeper *step = &vector_at(&set->steps, s.first);
        if (s.count == 1 && step->thread == thread && step->choice == choice) {
            return true;
        }
    }
    return false;
}
