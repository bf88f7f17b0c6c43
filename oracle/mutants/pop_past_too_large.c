/* What happens after the first event of the race is taken into the past of the second. */
#include "oracle/mutants/pop.h"

BROKEN bool never_before(const execution *e, uint32_t a, uint32_t b) {
    (void)e, (void)a, (void)b;
    return false;
}

#define execution_before never_before
#define strategy_pop     mutant_pop_past_too_large
#include "dpor/pop/pop.c"
