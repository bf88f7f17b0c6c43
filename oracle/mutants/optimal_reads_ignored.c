/* Two steps race only if both write. */
#define MUTANT(name) optimal_reads_ignored_##name
#include "oracle/mutants/search.h"

BROKEN bool writes(footprint f) {
    for (uint32_t i = 0; i < footprint_count(f); i++) {
        if (footprint_access(f, i).mode & ACCESS_WRITE) {
            return true;
        }
    }
    return false;
}

BROKEN bool conflict_of_writers(footprint a, footprint b) {
    return writes(a) && writes(b) && footprint_conflict(a, b);
}

#define footprint_conflict conflict_of_writers
#define strategy_optimal   mutant_optimal_reads_ignored
#include "dpor/optimal.c"
#include "dpor/search.c"
#include "dpor/search_sleep.c"
