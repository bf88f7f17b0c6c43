/* Steps that are pending at the end have no races. */
#include "oracle/mutants/pop.h"

BROKEN void find_real_races(const execution *e, uint32_t position, uint32_t thread,
                            const operation *op, position_list *races) {
    race_find(e, position, thread, op, races);
    races->count = position < execution_length(e) ? races->count : 0;
}

#define race_find    find_real_races
#define strategy_pop mutant_pop_blocked_ignored
#include "dpor/pop/pop.c"
