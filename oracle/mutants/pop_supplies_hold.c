/* A wait for a semaphore is never moved before the post that it took. */
#include "oracle/mutants/pop.h"

#define operation_fixed_causes(op) ((op)->cause_count)
#define strategy_pop               mutant_pop_supplies_hold
#include "dpor/pop/pop.c"
