/* The clock of a reversed step leaves out creation, join and waker. */
#define MUTANT(name) optimal_clock_without_causes_##name
#include "oracle/mutants/search.h"

BROKEN void set_last_without_causes(reversal *r, uint32_t thread, uint32_t choice,
                                    const operation *op) {
    operation uncaused = *op;
    uncaused.cause_count = 0;
    reversal_set_last(r, thread, choice, &uncaused);
}

#define reversal_set_last set_last_without_causes
#define strategy_optimal  mutant_optimal_clock_without_causes
#include "dpor/optimal.c"
#include "dpor/search.c"
#include "dpor/search_sleep.c"
