/* Line 20: what was explored is not added to the sleep set. */
#define MUTANT(name) optimal_no_sleep_##name
#include "oracle/mutants/search.h"

BROKEN void add_nothing(sleep_stack *s, sleeper asleep) {
    (void)s, (void)asleep;
}

#define sleep_add        add_nothing
#define strategy_optimal mutant_optimal_no_sleep
#include "dpor/optimal.c"
#include "dpor/search.c"
#include "dpor/search_sleep.c"
