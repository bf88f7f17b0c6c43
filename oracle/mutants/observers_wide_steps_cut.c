/* Of what a step writes, 64 cells are looked at. */
#define MUTANT(name) observers_wide_steps_cut_##name
#include "oracle/mutants/observers.h"

enum { LOOKED_AT = 64 };

BROKEN footprint first_writes(footprint f) {
    memory_access kept[LOOKED_AT];
    footprint all = footprint_writes(f);
    uint32_t count = footprint_count(all);
    for (uint32_t i = 0; i < count && i < LOOKED_AT; i++) {
        kept[i] = footprint_access(all, i);
    }
    return count > LOOKED_AT ? footprint_of(kept, LOOKED_AT) : all;
}

#define footprint_writes   first_writes
#define strategy_observers mutant_observers_wide_steps_cut
#include "dpor/observers/observed_races.c"
#include "dpor/observers/observed_search.c"
#include "dpor/observers/observers.c"
