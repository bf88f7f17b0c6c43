/* An acquisition races with whatever touched the mutex last. */
#define MUTANT(name) classic_locks_as_writes_##name
#include "oracle/mutants/backtracking.h"

BROKEN void find_plain_races(const execution *e, uint32_t position, uint32_t thread,
                             const operation *op, position_list *races) {
    operation plain = *op;
    plain.flags &= (uint8_t)~OPERATION_ACQUIRES;
    race_find(e, position, thread, &plain, races);
}

#define race_find find_plain_races
#include "dpor/backtracking.c"
#define strategy_classic mutant_classic_locks_as_writes
#include "dpor/classic.c"
