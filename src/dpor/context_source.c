/* Context-sensitive DPOR over source-DPOR (Albert et al., CAV 2017; docs/ALGORITHMS.md): where the
 * two orders of a race lead to the same state, the other order is begun, as source sets demand, but
 * is not followed beyond the race: the sequence that reverses it goes into a don't-do set.
 *
 * Every final state is reached; not every trace. CAV 2017 compares the states behind all of the
 * execution. That is not enough: what lies between the two steps may have covered up a difference
 * that shows if something else comes first. So they are compared right behind the race. */
#include "dpor/backtracking.h"

static void on_race(backtracking *b, bool feasible) {
    const reversal *r = &b->reversal;
    sleeper last = {r->last_thread, r->last_choice, r->last_footprint};
    source_cover(b, feasible);
    if (b->stepping && comparison_commutes(&b->comparison, b->base.exploration, r, last)) {
        const step_sequence *s = &b->comparison.sequence;
        dontdo_add(&b->dontdo, r->position, s->items, s->count, DONTDO_UNTAGGED);
    }
}

/* A section whose accesses depend on the state may race with what lies behind a cut, which source
 * sets learn too late: `[ry,rx,!wy1] / wx1 / rz wy2`. */
static enum decision context_source_choose(strategy *s, step *next) {
    enum decision decision = backtracking_choose(s, next);
    if (decision == DECISION_STEP) {
        target *program = s->exploration->target;
        const operation *pending = program->class->pending(program, next->thread);
        if (pending->kind == OPERATION_ATOMIC && pending->flags & OPERATION_VARIES) {
            return DECISION_UNSUITED;
        }
    }
    return decision;
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
    .fallback = "context",
    .unsuited = "atomic sections that access other objects in other states",
    .states_only = true,
    .create = context_source_create,
    .destroy = backtracking_destroy,
    .choose = context_source_choose,
    .stepped = backtracking_stepped,
    .ended = backtracking_ended,
    .backtrack = backtracking_backtrack,
};
