/* Going deeper wakes only the thread that took the step. */
#define MUTANT(name) optimal_sleep_forever_##name
#include "oracle/mutants/search.h"

BROKEN void descend_asleep(sleep_stack *s, const event *taken) {
    event idle = *taken;
    idle.footprint = FOOTPRINT_EMPTY;
    sleep_descend(s, &idle);
}

#define sleep_descend    descend_asleep
#define strategy_optimal mutant_optimal_sleep_forever
#include "dpor/optimal.c"
#include "dpor/search.c"
#include "dpor/search_sleep.c"
