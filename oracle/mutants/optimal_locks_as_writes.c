/* An acquisition races with whatever touched the mutex last. */
#define MUTANT(name) optimal_locks_as_writes_##name
#include "oracle/mutants/search.h"

#define OPERATION_ACQUIRES 0
#define strategy_optimal   mutant_optimal_locks_as_writes
#include "dpor/optimal.c"
#include "dpor/search.c"
#include "dpor/search_sleep.c"
