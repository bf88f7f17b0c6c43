/* The order of a pair is not settled for the whole search. */
#define MUTANT(name) context_order_changes_##name
#include "oracle/mutants/search.h"

BROKEN bool prefers_in_turn(const preference_table *p, event_name first, event_name second) {
    static uint32_t asked;
    (void)p, (void)first, (void)second;
    return asked++ % 3 == 0;
}

#define preference_holds prefers_in_turn
#define strategy_context mutant_context_order_changes
#include "dpor/context/context.c"
#include "dpor/context/normal_form.c"
#include "dpor/context/normal_form_parts.c"
#include "dpor/search.c"
#include "dpor/search_sleep.c"
