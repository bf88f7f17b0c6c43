/* Rule B3: a head goes to sleep even if it writes all that the first event accesses. */
#include "oracle/mutants/pop.h"

#include "dpor/pop/pop.h"

BROKEN bool overwrites_nothing(const operation *head, footprint base) {
    (void)head, (void)base;
    return false;
}

#define pop_overwrites overwrites_nothing
#define strategy_pop   mutant_pop_writes_sleep
#include "dpor/pop/pop.c"
