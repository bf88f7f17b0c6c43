/* Orders are taken to commute if they can be run at all. */
#define MUTANT(name) context_all_commute_##name
#include "oracle/mutants/search.h"

BROKEN bool holds_always(comparison *c, exploration *x) {
    (void)c, (void)x;
    return true;
}

#define comparison_holds holds_always
#define strategy_context mutant_context_all_commute
#include "dpor/context/context.c"
#include "dpor/context/normal_form.c"
#include "dpor/search.c"
#include "dpor/search_sleep.c"
