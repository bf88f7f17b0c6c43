/* An acquisition races with whatever touched the mutex last. */
#include "oracle/mutants/optimal.h"

#define OPERATION_ACQUIRES 0
#define strategy_optimal   mutant_optimal_locks_as_writes
#include "strategies/optimal.c"
