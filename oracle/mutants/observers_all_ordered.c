/* Writes are ordered whether they are observed or not. */
#define MUTANT(name) observers_all_ordered_##name
#include "oracle/mutants/observers.h"

BROKEN enum relation always_ordered(footprint a, footprint b) {
    return observed_relation(a, b) == RELATION_NONE ? RELATION_NONE : RELATION_ORDERED;
}

#define observed_relation  always_ordered
#define strategy_observers mutant_observers_all_ordered
#include "dpor/observers/observed_races.c"
#include "dpor/observers/observed_search.c"
#include "dpor/observers/observers.c"
