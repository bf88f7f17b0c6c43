/* Going deeper wakes only the thread that took the step. */
#define MUTANT(name) source_sleep_forever_##name
#include "oracle/mutants/backtracking.h"

BROKEN void descend_asleep(sleep_stack *s, const event *taken) {
    event idle = *taken;
    idle.footprint = FOOTPRINT_EMPTY;
    sleep_descend(s, &idle);
}

#define sleep_descend descend_asleep
#include "dpor/backtracking.c"
#define strategy_source mutant_source_sleep_forever
#include "dpor/source.c"
