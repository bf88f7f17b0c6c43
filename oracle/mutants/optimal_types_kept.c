/* No step is asked for again in its new place: a compare-and-swap that failed still fails. */
#define MUTANT(name) optimal_types_kept_##name
#include "oracle/mutants/search.h"

#define OPERATION_VARIES 0
#define strategy_optimal mutant_optimal_types_kept
#include "dpor/optimal.c"
#include "dpor/search.c"
#include "dpor/search_sleep.c"
