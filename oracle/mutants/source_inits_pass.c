/* A lock is never tried before the initialisation or destruction of its mutex. */
#define MUTANT(name) source_inits_pass_##name
#include "oracle/mutants/backtracking.h"

BROKEN void find_without_inits(const execution *e, uint32_t position, uint32_t thread,
                               const operation *op, position_list *races) {
    race_find(e, position, thread, op, races);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < races->count; i++) {
        uint8_t kind = execution_event(e, vector_at(races, i))->kind;
        bool change = kind == OPERATION_INIT || kind == OPERATION_DESTROY;
        if (!change || !(op->flags & OPERATION_ACQUIRES)) {
            vector_at(races, kept++) = vector_at(races, i);
        }
    }
    races->count = kept;
}

#define race_find find_without_inits
#include "dpor/backtracking.c"
#define strategy_source mutant_source_inits_pass
#include "dpor/source.c"
