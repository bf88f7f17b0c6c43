/* The last alternative of a choice is left out. */
#define MUTANT(name) none_forgets_##name
#include "oracle/mutants/backtracking.h"

BROKEN uint32_t all_but_one(const operation *o) {
    uint32_t count = operation_alternatives(o);
    return count > 1 ? count - 1 : count;
}

#define operation_alternatives all_but_one
#include "dpor/backtracking.c"
#define strategy_none mutant_none_forgets
#include "dpor/none.c"
