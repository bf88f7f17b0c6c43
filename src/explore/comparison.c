#include "explore/comparison.h"

void comparison_free(comparison *c) {
    vector_free(&c->reference);
    vector_free(&c->state);
    vector_free(&c->sequence);
}

static bool has_alternative(const operation *op, uint32_t choice) {
    for (uint32_t i = 0; i < operation_alternatives(op); i++) {
        if (operation_choice(op, i) == choice) {
            return true;
        }
    }
    return false;
}

/* Takes the sequence's steps after the first `length` events and fills their footprints in. */
static bool run(comparison *c, exploration *x, uint32_t length) {
    exploration_revisit(x, length);
    for (uint32_t i = 0; i < c->sequence.count; i++) {
        sleeper *s = &c->sequence.items[i];
        const operation *pending = x->target->class->pending(x->target, s->thread);
        if (!pending || !operation_enabled(pending) || !has_alternative(pending, s->choice)) {
            return false;
        }
        s->footprint = pending->footprint;
        step_result result;
        x->target->class->step(x->target, s->thread, s->choice, &result);
        x->replayed++;
    }
    return true;
}

static void add_event(comparison *c, const execution *e, uint32_t position) {
    const event *of = execution_event(e, position);
    vector_push(&c->sequence, (sleeper){of->thread, of->choice, of->footprint});
}

/* u, and e and p in this order or in the other. */
static void plan(comparison *c, reversal *r, bool reversed) {
    const execution *e = r->execution;
    const uint32_t *clock = reversal_last_clock(r);
    vector_clear(&c->sequence);
    for (uint32_t i = 0; i < r->events.count; i++) {
        const event *of = execution_event(e, r->events.items[i]);
        if (clock[of->thread] > of->index) {
            add_event(c, e, r->events.items[i]);
        }
    }
    if (!reversed) {
        add_event(c, e, r->position);
    }
    vector_push(&c->sequence, (sleeper){r->last_thread, r->last_choice, r->last_footprint});
    if (reversed) {
        add_event(c, e, r->position);
    }
}

bool comparison_commutes(comparison *c, exploration *x, reversal *r) {
    const target_class *class = x->target->class;
    plan(c, r, false);
    if (!run(c, x, r->position)) {
        return false;
    }
    vector_resize(&c->reference, (uint32_t) class->state_size(x->target));
    class->save(x->target, c->reference.items);
    plan(c, r, true);
    if (!run(c, x, r->position)) {
        return false;
    }
    vector_resize(&c->state, (uint32_t) class->state_size(x->target));
    class->save(x->target, c->state.items);
    return c->state.count == c->reference.count &&
           class->equal(x->target, c->reference.items, c->state.items);
}
