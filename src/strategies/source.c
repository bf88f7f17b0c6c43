/* Source-DPOR: JACM 2017, Algorithm 1, with locks as Algorithm 3 and blocking as Algorithm 5.
 * The search itself is backtracking.c; here is the test that makes the backtrack sets source sets
 * (lines 8-9). */
#include "strategies/backtracking.h"

/* Line 8: an initial of v is in backtrack(E') or sleeps after E'; line 9: otherwise add one. */
void source_cover(backtracking *b, bool feasible) {
    CHECK(feasible);
    reversal *r = &b->reversal;
    backtrack_node *node = backtracking_node(b);
    uint32_t at = 0, position, found = UINT32_MAX;
    while (reversal_left(r, &at, &position)) {
        const event *e = position == POSITION_NONE ? NULL : execution_event(r->execution, position);
        uint32_t thread = e ? e->thread : r->last_thread;
        uint32_t choice = e ? e->choice : r->last_choice;
        if ((e && e->index != r->begin.items[thread]) ||
            reversal_initial(r, thread, choice, FOOTPRINT_EMPTY) != INITIAL_INSIDE) {
            continue;
        }
        if (backtracking_has(node, thread) ||
            sleep_contains(&b->sleep, r->position, thread, choice)) {
            return;
        }
        found = found == UINT32_MAX ? thread : found;
    }
    CHECK(found != UINT32_MAX);
    vector_push(&node->threads, found);
}

static strategy *source_create(exploration *x) {
    (void)x;
    return backtracking_create(source_cover);
}

extern const strategy_class strategy_source;
const strategy_class strategy_source = {
    .name = "source",
    .summary = "source-DPOR: few redundant explorations (JACM 2017, Algorithms 1, 3, 5)",
    .create = source_create,
    .destroy = backtracking_destroy,
    .choose = backtracking_choose,
    .stepped = backtracking_stepped,
    .ended = backtracking_ended,
    .backtrack = backtracking_backtrack,
};
