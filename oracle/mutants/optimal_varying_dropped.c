/* A step that has to be asked for again is found to be nothing. */
#include "oracle/mutants/optimal.h"

static const operation *probe_nothing(exploration *x, uint32_t length, const step *steps,
                                      uint32_t step_count, uint32_t thread) {
    (void)x, (void)length, (void)steps, (void)step_count, (void)thread;
    return NULL;
}

#define exploration_probe probe_nothing
#define strategy_optimal  mutant_optimal_varying_dropped
#include "strategies/optimal.c"
