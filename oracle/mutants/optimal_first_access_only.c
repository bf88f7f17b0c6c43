/* An atomic section races by its first access only. */
#define MUTANT(name) optimal_first_access_only_##name
#include "oracle/mutants/search.h"

BROKEN footprint first_access(footprint f) {
    return footprint_count(f) > 1 ? footprint_single(footprint_access(f, 0)) : f;
}

BROKEN bool conflict_of_first(footprint a, footprint b) {
    return footprint_conflict(first_access(a), first_access(b));
}

#define footprint_conflict conflict_of_first
#define strategy_optimal   mutant_optimal_first_access_only
#include "dpor/optimal.c"
#include "dpor/search.c"
#include "dpor/search_sleep.c"
