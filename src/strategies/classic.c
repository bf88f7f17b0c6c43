/* Classic DPOR (Flanagan and Godefroid 2005) with sleep sets, in the formulation of JACM 2017,
 * section 5.1, "On Source Sets and Persistent Sets": the backtrack set must contain an initial of
 * v that happens before the racing step, or that step itself, which makes it a persistent set.
 * As in the measurements of that paper it does not know that a release and an acquisition are
 * never enabled together: it tries to reverse them, and is blocked. */
#include "strategies/backtracking.h"

/* The thread's first step in v happens before the last step of v, or is it. */
static bool leads_to_last(reversal *r, uint32_t thread) {
    return thread == r->last_thread || reversal_last_clock(r)[thread] > r->begin.items[thread];
}

static void cover(backtracking *b, bool feasible) {
    reversal *r = &b->reversal;
    backtrack_node *node = backtracking_node(b);
    uint32_t at = 0, position, found = UINT32_MAX;
    while (reversal_left(r, &at, &position)) {
        const event *e = position == POSITION_NONE ? NULL : execution_event(r->execution, position);
        uint32_t thread = e ? e->thread : r->last_thread;
        uint32_t choice = e ? e->choice : r->last_choice;
        if ((!e && !feasible) || (e && e->index != r->begin.items[thread]) ||
            !leads_to_last(r, thread) ||
            reversal_initial(r, thread, choice, FOOTPRINT_EMPTY) != INITIAL_INSIDE) {
            continue;
        }
        if (backtracking_has(node, thread)) {
            return;
        }
        found = found == UINT32_MAX ? thread : found;
    }
    CHECK(found != UINT32_MAX || !feasible);
    if (found != UINT32_MAX) {
        vector_push(&node->threads, found);
    }
}

static strategy *classic_create(exploration *x) {
    (void)x;
    strategy *s = backtracking_create(cover);
    ((backtracking *)s)->unlocks_race = true;
    return s;
}

extern const strategy_class strategy_classic;
const strategy_class strategy_classic = {
    .name = "classic",
    .summary = "classic DPOR with persistent sets and sleep sets (Flanagan and Godefroid 2005)",
    .create = classic_create,
    .destroy = backtracking_destroy,
    .choose = backtracking_choose,
    .stepped = backtracking_stepped,
    .ended = backtracking_ended,
    .backtrack = backtracking_backtrack,
};
