/* A lock is never tried before the initialisation or destruction of its mutex. */
#define MUTANT(name) optimal_inits_pass_##name
#include "oracle/mutants/search.h"

BROKEN const event *held_before_change(const execution *e, uint32_t position) {
    static event copy;
    copy = *execution_event(e, position);
    copy.acquired &= copy.kind != OPERATION_INIT && copy.kind != OPERATION_DESTROY;
    return &copy;
}

BROKEN const event *first_held_before_change(const search *s) {
    return held_before_change(s->reversal.execution, s->reversal.position);
}

#define search_first     first_held_before_change
#define execution_event  held_before_change
#define strategy_optimal mutant_optimal_inits_pass
#include "dpor/optimal.c"
#include "dpor/search.c"
#include "dpor/search_sleep.c"
