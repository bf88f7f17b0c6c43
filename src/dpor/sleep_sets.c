/* Sleep sets alone (Godefroid, LNCS 1032, 1996, chapter 5): every enabled thread is explored after
 * every prefix, and explored steps sleep until something conflicts with them. Every trace once, but
 * most of the interleavings are begun: there is no race detection, so nothing else prunes. For
 * comparison: it shows what the persistent, source and wakeup sets of the other algorithms save. */
#include "dpor/backtracking.h"

static void sleep_sets_init(strategy *s) {
    backtracking_init((backtracking *)s, NULL);
    ((backtracking *)s)->sleeps = true;
}

extern const strategy_class strategy_sleep_sets;
const strategy_class strategy_sleep_sets = {
    .name = "sleep-sets",
    .summary = "every enabled thread, with sleep sets: every trace once (Godefroid 1996)",
    .fine = true,
    .init = sleep_sets_init,
    BACKTRACKING_STRATEGY,
};
