/* Orders are taken to commute if they can be run at all. */
#include "oracle/mutants/context.h"

BROKEN bool runs_both_ways(comparison *c, exploration *x, const reversal *r) {
    comparison_commutes_reversed(c, x, r);
    return c->sequence.count >= 2 && comparison_run(c, x, r->position);
}

#define comparison_commutes_reversed runs_both_ways
#define strategy_context             mutant_context_all_commute
#include "strategies/context.c"
