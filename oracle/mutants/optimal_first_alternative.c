/* Every choice has one alternative. */
#define MUTANT(name) optimal_first_alternative_##name
#include "oracle/mutants/search.h"

BROKEN uint32_t one_alternative(const operation *o) {
    (void)o;
    return 1;
}

#define operation_alternatives one_alternative
#define strategy_optimal       mutant_optimal_first_alternative
#include "dpor/optimal.c"
#include "dpor/search.c"
#include "dpor/search_sleep.c"
