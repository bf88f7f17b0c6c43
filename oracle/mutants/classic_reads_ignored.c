/* A step that only reads has no races. */
#define MUTANT(name) classic_reads_ignored_##name
#include "oracle/mutants/backtracking.h"

BROKEN void find_races_of_writers(const execution *e, uint32_t position, uint32_t thread,
                                  const operation *op, position_list *races) {
    race_find(e, position, thread, op, races);
    for (uint32_t i = 0; i < footprint_count(op->footprint); i++) {
        if (footprint_access(op->footprint, i).mode & ACCESS_WRITE) {
            return;
        }
    }
    races->count = 0;
}

#define race_find find_races_of_writers
#include "dpor/backtracking.c"
#define strategy_classic mutant_classic_reads_ignored
#include "dpor/classic.c"
