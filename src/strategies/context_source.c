/* Context-sensitive DPOR over source-DPOR (Albert et al., CAV 2017; docs/ALGORITHMS.md): where the
 * two orders of a race lead to the same state, the other order is begun, as source sets demand, but
 * is not followed beyond the race: the sequence that reverses it goes into a don't-do set.
 *
 * Every final state is reached; not every trace. */
#include "strategies/backtracking.h"

static void swap_step(backtracking *b, uint32_t thread, uint32_t choice) {
    vector_push(&b->swapped, (sleeper){thread, choice, FOOTPRINT_EMPTY});
}

static void swap_event(backtracking *b, uint32_t position) {
    const event *e = execution_event(b->reversal.execution, position);
    swap_step(b, e->thread, e->choice);
}

/* The events of notdep(e,E), and e and p in this order or in the other. */
static void plan(backtracking *b, bool reversed) {
    const reversal *r = &b->reversal;
    vector_clear(&b->swapped);
    for (uint32_t i = 0; i < r->events.count; i++) {
        swap_event(b, r->events.items[i]);
    }
    if (!reversed) {
        swap_event(b, r->position);
    }
    swap_step(b, r->last_thread, r->last_choice);
    if (reversed) {
        swap_event(b, r->position);
    }
}

static bool run(backtracking *b) {
    return comparison_run(b->base.exploration, b->reversal.position, b->swapped.items,
                          b->swapped.count);
}

/* CAV 2017 compares the states behind all of E.p. That is not enough: what lies between e and p may
 * have covered up a difference that shows if something else comes first. */
static void compare_orders(backtracking *b) {
    plan(b, false);
    if (!run(b)) {
        return;
    }
    comparison_keep(&b->comparison, b->base.exploration);
    plan(b, true);
    if (run(b) && comparison_holds(&b->comparison, b->base.exploration)) {
        dontdo_add(&b->dontdo, b->reversal.position, b->swapped.items, b->swapped.count);
    }
}

static void on_race(backtracking *b, bool feasible) {
    source_cover(b, feasible);
    if (b->stepping) {
        compare_orders(b);
    }
}

static strategy *context_source_create(exploration *x) {
    (void)x;
    strategy *s = backtracking_create(on_race);
    ((backtracking *)s)->compares = true;
    return s;
}

extern const strategy_class strategy_context_source;
const strategy_class strategy_context_source = {
    .name = "context-source",
    .summary = "context-sensitive source-DPOR: every final state, not every trace (CAV 2017)",
    .create = context_source_create,
    .destroy = backtracking_destroy,
    .choose = backtracking_choose,
    .stepped = backtracking_stepped,
    .ended = backtracking_ended,
    .backtrack = backtracking_backtrack,
};
