/* A step that blocks races with the nearest event only, although it may have to pass several. */
#define MUTANT(name) source_blocked_nearest_##name
#include "oracle/mutants/backtracking.h"

BROKEN void find_nearest(const execution *e, uint32_t position, uint32_t thread,
                         const operation *op, position_list *races) {
    race_find(e, position, thread, op, races);
    if (op->flags & OPERATION_BLOCKS && races->count > 1) {
        races->count = 1;
    }
}

#define race_find find_nearest
#include "dpor/backtracking.c"
#define strategy_source mutant_source_blocked_nearest
#include "dpor/source.c"
