/* Every choice has one alternative. */
#define MUTANT(name) source_first_alternative_##name
#include "oracle/mutants/backtracking.h"

BROKEN uint32_t one_alternative(const operation *o) {
    (void)o;
    return 1;
}

#define operation_alternatives one_alternative
#include "dpor/backtracking.c"
#define strategy_source mutant_source_first_alternative
#include "dpor/source.c"
