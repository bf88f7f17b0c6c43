/* Source-DPOR: JACM 2017, Algorithm 1, with locks as Algorithm 3 and blocking as Algorithm 5.
 * The search itself is backtracking.c; here is the test that makes the backtrack sets source sets
 * (lines 8-9). */
#include "dpor/backtracking.h"

/* Line 8: any initial of v covers it, including one that sleeps after E'. */
static enum cover covers(backtracking *b, uint32_t thread, uint32_t choice) {
    bool sleeps = sleep_contains(&b->sleep, b->reversal.position, thread, choice);
    return sleeps ? COVER_DONE : COVER_POSSIBLE;
}

void source_cover(backtracking *b, bool feasible) {
    CHECK(feasible);
    backtracking_cover(b, feasible, covers);
}

static void source_init(strategy *s) {
    backtracking_init((backtracking *)s, source_cover);
}

extern const strategy_class strategy_source;
const strategy_class strategy_source = {
    .name = "source",
    .summary = "source-DPOR: few redundant explorations (JACM 2017, Algorithms 1, 3, 5)",
    .init = source_init,
    BACKTRACKING_STRATEGY,
};
