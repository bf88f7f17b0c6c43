/* A step that has to be asked for again is found to be nothing. */
#define MUTANT(name) optimal_varying_dropped_##name
#include "oracle/mutants/search.h"

BROKEN const operation *probe_nothing(exploration *x, uint32_t length, const uint32_t *positions,
                                      uint32_t count, uint32_t thread) {
    (void)x, (void)length, (void)positions, (void)count, (void)thread;
    return NULL;
}

#define exploration_probe_events probe_nothing
#define strategy_optimal         mutant_optimal_varying_dropped
#include "dpor/optimal.c"
#include "dpor/search.c"
#include "dpor/search_sleep.c"
