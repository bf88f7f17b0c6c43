/* Of the races of a step only the latest is reversed. */
#define MUTANT(name) source_last_race_only_##name
#include "oracle/mutants/backtracking.h"

BROKEN void find_latest_race(const execution *e, uint32_t position, uint32_t thread,
                             const operation *op, position_list *races) {
    race_find(e, position, thread, op, races);
    races->count = races->count > 1 ? 1 : races->count;
}

#define race_find find_latest_race
#include "dpor/backtracking.c"
#define strategy_source mutant_source_last_race_only
#include "dpor/source.c"
