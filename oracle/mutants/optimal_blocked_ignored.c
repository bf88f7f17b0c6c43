/* No thread that is blocked at the end is found to be at its last step. */
#define MUTANT(name) optimal_blocked_ignored_##name
#include "oracle/mutants/search.h"

BROKEN uint32_t no_such_count(const execution *e, uint32_t thread) {
    (void)e, (void)thread;
    return UINT32_MAX;
}

#define execution_thread_events no_such_count
#define strategy_optimal        mutant_optimal_blocked_ignored
#include "dpor/optimal.c"
#include "dpor/search.c"
#include "dpor/search_sleep.c"
