/* Of the races of a step only the latest is reversed. */
#include "oracle/mutants/pop.h"

BROKEN void find_latest_race(const execution *e, uint32_t position, uint32_t thread,
                             const operation *op, position_list *races) {
    race_find(e, position, thread, op, races);
    races->count = races->count > 1 && !operation_blocks(op) ? 1 : races->count;
}

#define race_find    find_latest_race
#define strategy_pop mutant_pop_latest_race_only
#include "dpor/pop/pop.c"
