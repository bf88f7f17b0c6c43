/* Every step has each of its alternatives twice. */
#define MUTANT(name) none_repeats_##name
#include "oracle/mutants/backtracking.h"

BROKEN uint32_t twice_alternatives(const operation *o) {
    return 2 * operation_alternatives(o);
}

BROKEN uint32_t choice_again(const operation *o, uint32_t i) {
    return operation_choice(o, i % operation_alternatives(o));
}

#define operation_alternatives twice_alternatives
#define operation_choice       choice_again
#include "dpor/backtracking.c"
#define strategy_none mutant_none_repeats
#include "dpor/none.c"
