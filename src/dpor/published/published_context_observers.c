/* ISSTA 2019, Algorithm 2, as published: with observers (TACAS 2018). */
#include "dpor/observed.h"
#include "dpor/published/published.h"
#include "dpor/watch.h"

typedef struct published_observers {
    published published; /* first: it is one */
    watch_stack watches; /* the done sets, as watches */
    watch trial, node;
    positions observers; /* of the current race */
} published_observers;

static published_observers *observers_of(published *p) {
    return (published_observers *)p;
}

static void descend(search *s, const event *taken) {
    watch_stack_descend(&((published_observers *)s)->watches, taken);
    published_descend(s, taken);
}

static void ascend(search *s, uint32_t length, const event *done) {
    watch_stack_ascend(&((published_observers *)s)->watches, length, done);
    published_ascend(s, length, done);
}

/* ---- order ---- */

/* The write at place b of the sequence is read before it is overwritten. */
static bool is_observed(const published *p, const uint32_t *sequence, uint32_t count, uint32_t b) {
    footprint left = footprint_writes(published_event(p, sequence[b])->footprint);
    for (uint32_t i = b + 1; i < count && left != FOOTPRINT_EMPTY; i++) {
        footprint f = published_event(p, sequence[i])->footprint;
        if (footprint_reads(f, left)) {
            return true;
        }
        left = footprint_remaining(left, f);
    }
    return false;
}

static bool is_ordered(const published *p, const uint32_t *sequence, uint32_t count, uint32_t a,
                       uint32_t b) {
    enum relation relation = observed_relation(published_event(p, sequence[a])->footprint,
                                               published_event(p, sequence[b])->footprint);
    return relation == RELATION_ORDERED || relation == RELATION_MAIL ||
           (relation == RELATION_OBSERVED && is_observed(p, sequence, count, b));
}

/* ---- don't-do sets ---- */

/* Section 4.2: what p and q both write is overwritten before it is read. */
static bool is_overwritten(const sleeper *p, const sleeper *q, const sleeper *rest,
                           uint32_t count) {
    if (observed_relation(p->footprint, q->footprint) != RELATION_OBSERVED) {
        return false;
    }
    footprint left = footprint_writes(p->footprint);
    for (uint32_t i = 0; i < count && left != FOOTPRINT_EMPTY; i++) {
        if (footprint_reads(rest[i].footprint, left)) {
            return false;
        }
        left = footprint_remaining(left, rest[i].footprint);
    }
    return left == FOOTPRINT_EMPTY;
}

/* Lines 61-62: the step may also stand inside the sequence, if it can be moved to its front. */
static bool inherits(const step_sequence *s, const event *taken, uint32_t *at) {
    sleeper step = sequence_step_of(taken);
    uint32_t place = 0;
    while (place < s->count && vector_at(s, place).thread != taken->thread) {
        place++;
    }
    bool contained = place < s->count;
    uint32_t after = contained ? place + 1 : s->count;
    if (contained && vector_at(s, place).choice != taken->choice) {
        return false;
    }
    for (uint32_t i = 0; i < place; i++) {
        if (footprint_conflict(vector_at(s, i).footprint, step.footprint) &&
            !(contained &&
              is_overwritten(&step, &vector_at(s, i), s->items + after, s->count - after))) {
            return false;
        }
    }
    *at = place;
    return true;
}

/* ---- wakeup trees ---- */

static bool is_redundant(published *p, uint32_t length) {
    published_observers *o = observers_of(p);
    watch_copy(&o->trial, watch_stack_at(&o->watches, length));
    return watch_covers(&o->trial, &p->plan);
}

static void start_insertion(published *p, uint32_t length) {
    published_observers *o = observers_of(p);
    watch_copy(&o->node, watch_stack_at(&o->watches, length));
    watch_forget(&o->node);
}

static bool is_weak_initial(void *context, const wakeup_node *child) {
    published_observers *o = context;
    watch_copy(&o->trial, &o->node);
    watch_add(&o->trial, child->thread, child->choice, child->footprint);
    if (!watch_covers(&o->trial, &o->published.plan)) {
        return false;
    }
    watch_pass(&o->node, child->thread, child->choice, child->footprint);
    return true;
}

/* ---- races ---- */

/* Lines 72-73: every observer has the same effect after the reversed race. */
static bool observers_agree(published *p, uint32_t e, uint32_t last) {
    const positions *observers = &observers_of(p)->observers;
    positions reversed = {0}, none = {0};
    published_add_up_to(p, last, &reversed);
    for (uint32_t i = 0; i < observers->count; i++) {
        if (vector_at(observers, i) != last) {
            vector_push(&reversed, vector_at(observers, i));
        }
    }
    bool same = true;
    for (uint32_t i = 0; i < observers->count && same; i++) {
        uint32_t o = vector_at(observers, i);
        same = published_run(p, o + 1, &none);
        comparison_keep(&p->comparison, p->search.base.exploration);
        same = same && published_run(p, e, &reversed) &&
               comparison_holds_for(&p->comparison, p->search.base.exploration,
                                    published_event(p, o)->thread);
    }
    vector_free(&reversed);
    return same;
}

/* The readers of e' that no other reader happens before. */
static void find_observers(published *p, uint32_t second) {
    positions *observers = &observers_of(p)->observers;
    uint32_t n = execution_length(search_execution(&p->search));
    footprint left = footprint_writes(published_event(p, second)->footprint);
    vector_clear(observers);
    for (uint32_t i = second + 1; i < n && left != FOOTPRINT_EMPTY; i++) {
        footprint f = published_event(p, i)->footprint;
        bool minimal = footprint_reads(f, left);
        for (uint32_t j = 0; j < observers->count && minimal; j++) {
            minimal = !published_happens_before(p, vector_at(observers, j), i);
        }
        if (minimal) {
            vector_push(observers, i);
        }
        left = footprint_remaining(left, f);
    }
}

/* Lines 70-74. */
static void reverse_observed(published *p, uint32_t e, uint32_t second) {
    const positions *observers = &observers_of(p)->observers;
    uint32_t n = execution_length(search_execution(&p->search));
    uint32_t last = vector_last(observers);
    CHECK(e < second && second < last);
    vector_clear(&p->v);
    published_add_ancestors(p, e, second);
    vector_push(&p->v, second);
    vector_push(&p->v, e);
    for (uint32_t i = e + 1; i < n; i++) {
        bool needed = false;
        for (uint32_t j = 0; j < observers->count; j++) {
            needed |= published_happens_before(p, i, vector_at(observers, j));
        }
        if (needed && !vector_contains(&p->v, i)) {
            vector_push(&p->v, i);
        }
    }
    vector_push(&p->v, last);
    published_add_future_initials(p, e);
    bool agree = observers_agree(p, e, last);
    published_make_plan(p, &p->v, &p->dont);
    for (uint32_t i = 0; i < observers->count; i++) {
        if (vector_at(observers, i) != last) {
            vector_push(&p->dont, sequence_step_of(published_event(p, vector_at(observers, i))));
        }
    }
    published_plan(p, e, agree);
}

static void reverse(published *p, uint32_t e, uint32_t second) {
    if (observed_relation(published_event(p, e)->footprint,
                          published_event(p, second)->footprint) == RELATION_OBSERVED) {
        find_observers(p, second);
        reverse_observed(p, e, second);
    } else {
        published_reverse(p, e, second);
    }
}

static const published_rule rule = {
    .search = {PUBLISHED_RULE, .descend = descend, .ascend = ascend},
    .is_ordered = is_ordered,
    .inherits = inherits,
    .is_redundant = is_redundant,
    .is_weak_initial = is_weak_initial,
    .start_insertion = start_insertion,
    .reverse = reverse,
};

static void published_context_observers_init(strategy *s) {
    published_observers *o = (published_observers *)s;
    published_init(&o->published, &rule);
    watch_stack_init(&o->watches);
}

static void published_context_observers_free(strategy *s) {
    published_observers *o = (published_observers *)s;
    published_free(&o->published);
    watch_stack_free(&o->watches);
    watch_free(&o->trial);
    watch_free(&o->node);
    vector_free(&o->observers);
}

extern const strategy_class strategy_published_context_observers;
const strategy_class strategy_published_context_observers = {
    .name = "published-context-observers",
    .summary = "ISSTA 2019, Algorithm 2, as published: may miss behaviours",
    .size = sizeof(published_observers),
    .init = published_context_observers_init,
    .free = published_context_observers_free,
    PUBLISHED_STRATEGY,
};
