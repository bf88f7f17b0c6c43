/* No step is asked for again in its new place. */
#define MUTANT(name) source_types_kept_##name
#include "oracle/mutants/backtracking.h"

#define OPERATION_VARIES 0
#include "dpor/backtracking.c"
#define strategy_source mutant_source_types_kept
#include "dpor/source.c"
