#include "dpor/comparison.h"

void comparison_free(comparison *c) {
    vector_free(&c->reference);
    vector_free(&c->state);
    vector_free(&c->sequence);
    vector_free(&c->others);
    vector_free(&c->needed);
}

typedef struct comparison_steps {
    comparison *comparison;
    exploration *exploration;
    uint32_t taken;
} comparison_steps;

static bool next_step(void *context, step *next) {
    const comparison_steps *s = context;
    if (s->taken == s->comparison->sequence.count) {
        return false;
    }
    const sleeper *of = &vector_at(&s->comparison->sequence, s->taken);
    *next = (step){of->thread, of->choice};
    return true;
}

static bool note_footprint(void *context, step next) {
    comparison_steps *s = context;
    const operation *pending;
    if (target_find_obstacle(s->exploration->target, next, &pending) != STEP_POSSIBLE) {
        return false;
    }
    vector_at(&s->comparison->sequence, s->taken).footprint = pending->footprint;
    return true;
}

static bool note_failure(void *context, const step_result *result) {
    comparison_steps *s = context;
    s->taken++;
    s->exploration->replayed++;
    s->comparison->failed |= result->error != NULL;
    return true;
}

bool comparison_run(comparison *c, exploration *x, uint32_t length) {
    static const step_hooks hooks = {next_step, note_footprint, note_failure};
    CHECK(length <= execution_length(&x->execution));
    exploration_revisit(x, length);
    c->failed = false;
    return target_run(x->target, &hooks, &(comparison_steps){c, x, 0});
}

static void save(exploration *x, state_bytes *state) {
    vector_resize(state, (uint32_t)x->target->class->state_size(x->target));
    x->target->class->save(x->target, state->items);
}

void comparison_keep(comparison *c, exploration *x) {
    save(x, &c->reference);
}

bool comparison_holds(comparison *c, exploration *x) {
    CHECK(c->reference.count);
    save(x, &c->state);
    return c->state.count == c->reference.count &&
           x->target->class->equal(x->target, c->reference.items, c->state.items);
}

bool comparison_holds_for(comparison *c, exploration *x, uint32_t thread) {
    const target_class *class = x->target->class;
    save(x, &c->state);
    return class->equal_thread
               ? class->equal_thread(x->target, c->reference.items, c->state.items, thread)
               : c->state.count == c->reference.count &&
                     class->equal(x->target, c->reference.items, c->state.items);
}

/* ---- both orders of a race ---- */

bool comparison_of_orders(comparison *c, exploration *x, uint32_t length, sleeper e, sleeper p,
                          comparison_rule *counts) {
    step_sequence *s = &c->sequence;
    uint32_t others = s->count;
    CHECK(e.thread != p.thread);
    vector_push(s, e);
    vector_push(s, p);
    if (!comparison_run(c, x, length) || !counts(c, e, p)) {
        return false;
    }
    comparison_keep(c, x);
    s->count = others;
    vector_push(s, p);
    vector_push(s, e);
    return comparison_run(c, x, length) && counts(c, p, e) && comparison_holds(c, x);
}

/* Which of the other steps p needs: those of its thread, those that it conflicts with, and what
 * these need. */
static void find_needed(comparison *c, sleeper p) {
    const sleeper *others = c->others.items;
    uint32_t count = c->others.count;
    vector_resize(&c->needed, count);
    for (uint32_t i = count; i-- > 0;) {
        bool needed =
            others[i].thread == p.thread || footprint_conflict(others[i].footprint, p.footprint);
        for (uint32_t j = i + 1; j < count && !needed; j++) {
            needed = vector_at(&c->needed, j) &&
                     (others[i].thread == others[j].thread ||
                      footprint_conflict(others[i].footprint, others[j].footprint));
        }
        vector_at(&c->needed, i) = needed;
    }
}

static bool has_no_error(const comparison *c, sleeper first, sleeper second) {
    (void)first, (void)second;
    return !c->failed;
}

bool comparison_commutes(comparison *c, exploration *x, const reversal *r, sleeper p) {
    sleeper e = sequence_step_of(execution_event(r->execution, r->position));
    vector_clear(&c->others);
    for (uint32_t i = 0; i < r->events.count; i++) {
        vector_push(&c->others,
                    sequence_step_of(execution_event(r->execution, vector_at(&r->events, i))));
    }
    find_needed(c, p);
    vector_clear(&c->sequence);
    for (uint32_t i = 0; i < c->others.count; i++) {
        if (vector_at(&c->needed, i)) {
            vector_push(&c->sequence, vector_at(&c->others, i));
        }
    }
    return comparison_of_orders(c, x, r->position, e, p, has_no_error);
}
