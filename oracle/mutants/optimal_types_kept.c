/* No step is asked for again in its new place: a compare-and-swap that failed still fails. */
#include "oracle/mutants/optimal.h"

#define OPERATION_VARIES 0
#define strategy_optimal mutant_optimal_types_kept
#include "strategies/optimal.c"
