/* A step that is not allowed after all of notdep(e,E) is given up. */
#define MUTANT(name) context_nothing_left_out_##name
#include "oracle/mutants/search.h"

BROKEN void leave_out_all(reversal *r, uint32_t position) {
    (void)position;
    r->events.count = 0;
    vector_at(&r->end, r->last_thread) = UINT32_MAX;
}

#define reversal_leave_out leave_out_all
#define strategy_context   mutant_context_nothing_left_out
#include "dpor/context/context.c"
#include "dpor/context/normal_form.c"
#include "dpor/context/normal_form_parts.c"
#include "dpor/search.c"
#include "dpor/search_sleep.c"
