/* Algorithm 3, lines 2-8: threads that are blocked have no races. */
#define MUTANT(name) source_blocked_ignored_##name
#include "oracle/mutants/backtracking.h"

BROKEN void find_enabled_races(const execution *e, uint32_t position, uint32_t thread,
                               const operation *op, position_list *races) {
    race_find(e, position, thread, op, races);
    races->count = operation_enabled(op) ? races->count : 0;
}

#define race_find find_enabled_races
#include "dpor/backtracking.c"
#define strategy_source mutant_source_blocked_ignored
#include "dpor/source.c"
