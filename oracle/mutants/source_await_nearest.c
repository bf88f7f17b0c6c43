/* An await races with the nearest write only, although it may have to pass several. */
#define MUTANT(name) source_await_nearest_##name
#include "oracle/mutants/backtracking.h"

BROKEN void find_nearest(const execution *e, uint32_t position, uint32_t thread,
                         const operation *op, position_list *races) {
    race_find(e, position, thread, op, races);
    if (op->kind == OPERATION_AWAIT && races->count > 1) {
        races->count = 1;
    }
}

#define race_find find_nearest
#include "dpor/backtracking.c"
#define strategy_source mutant_source_await_nearest
#include "dpor/source.c"
