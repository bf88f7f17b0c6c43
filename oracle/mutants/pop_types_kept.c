/* No step is asked for again in its new place. */
#include "oracle/mutants/pop.h"

#define OPERATION_VARIES 0
#define strategy_pop     mutant_pop_types_kept
#include "dpor/pop/pop.c"
