/* Classic DPOR (Flanagan and Godefroid 2005) with sleep sets, in the formulation of JACM 2017,
 * section 5.1, "On Source Sets and Persistent Sets": the backtrack set must contain an initial of
 * v that happens before the racing step, or that step itself, which makes it a persistent set.
 * As in the measurements of that paper it does not know that a release and an acquisition are
 * never enabled together: it tries to reverse them, and is blocked. */
#include "dpor/backtracking.h"

/* The thread's first step in v happens before the last step of v, or is it. */
static enum cover covers(backtracking *b, uint32_t thread, uint32_t choice) {
    reversal *r = &b->reversal;
    (void)choice;
    bool leads_to_last =
        thread == r->last_thread || reversal_last_clock(r)[thread] > vector_at(&r->begin, thread);
    return leads_to_last ? COVER_POSSIBLE : COVER_NOT;
}

static void cover(backtracking *b, bool feasible) {
    backtracking_cover(b, feasible, covers);
}

static void classic_init(strategy *s) {
    backtracking_init((backtracking *)s, cover);
    ((backtracking *)s)->unlocks_race = true;
}

extern const strategy_class strategy_classic;
const strategy_class strategy_classic = {
    .name = "classic",
    .summary = "classic DPOR with persistent sets and sleep sets (Flanagan and Godefroid 2005)",
    .init = classic_init,
    BACKTRACKING_STRATEGY,
};
