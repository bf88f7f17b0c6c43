/* Orders are taken to commute if they can be run at all. */
#define MUTANT(name) context_all_commute_##name
#include "oracle/mutants/search.h"

BROKEN bool run_order(comparison *c, exploration *x, uint32_t length, sleeper first, sleeper second,
                      comparison_rule *counts) {
    vector_push(&c->sequence, first);
    vector_push(&c->sequence, second);
    bool runs = comparison_run(c, x, length) && counts(c, first, second);
    c->sequence.count -= 2;
    return runs;
}

BROKEN bool commute_if_run(comparison *c, exploration *x, uint32_t length, sleeper e, sleeper p,
                           comparison_rule *counts) {
    return run_order(c, x, length, e, p, counts) && run_order(c, x, length, p, e, counts);
}

#define comparison_of_orders commute_if_run
#define strategy_context     mutant_context_all_commute
#include "dpor/context/context.c"
#include "dpor/context/normal_form.c"
#include "dpor/context/normal_form_parts.c"
#include "dpor/search.c"
#include "dpor/search_sleep.c"
