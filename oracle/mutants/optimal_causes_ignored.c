/* A step may be planned before its creation or its waker. */
#define MUTANT(name) optimal_causes_ignored_##name
#include "oracle/mutants/search.h"

BROKEN bool has_all_causes(const reversal *r, const cause *causes, uint32_t count) {
    (void)r, (void)causes, (void)count;
    return true;
}

#define reversal_has_causes has_all_causes
#define strategy_optimal    mutant_optimal_causes_ignored
#include "dpor/optimal.c"
#include "dpor/search.c"
#include "dpor/search_sleep.c"
