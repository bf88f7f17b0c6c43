/* Only initials are looked for in the sleep set, not weak initials. */
#define MUTANT(name) optimal_initials_only_##name
#include "oracle/mutants/search.h"

BROKEN enum initial initial_inside(reversal *r, uint32_t thread, uint32_t choice, footprint f) {
    enum initial found = reversal_initial(r, thread, choice, f);
    return found == INITIAL_INSIDE ? INITIAL_INSIDE : INITIAL_NOT;
}

#define reversal_initial initial_inside
#define strategy_optimal mutant_optimal_initials_only
#include "dpor/optimal.c"
#include "dpor/search.c"
#include "dpor/search_sleep.c"
