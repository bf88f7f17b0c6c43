/* Every choice has one alternative. */
#include "oracle/mutants/pop.h"

BROKEN uint32_t one_alternative(const operation *o) {
    (void)o;
    return 1;
}

#define operation_alternatives one_alternative
#define strategy_pop           mutant_pop_first_alternative
#include "dpor/pop/pop.c"
