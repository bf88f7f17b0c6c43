/* Algorithm 2, line 6: no sleeping step is ever found to be an initial. */
#define MUTANT(name) optimal_sleep_not_asked_##name
#include "oracle/mutants/search.h"

BROKEN enum initial no_initial(const reversal *r, uint32_t thread, uint32_t choice, footprint f) {
    (void)r, (void)thread, (void)choice, (void)f;
    return INITIAL_NOT;
}

#define reversal_initial no_initial
#define strategy_optimal mutant_optimal_sleep_not_asked
#include "dpor/optimal.c"
#include "dpor/search.c"
#include "dpor/search_sleep.c"
