/* A step goes to sleep as if it only read. */
#define MUTANT(name) optimal_sleepers_read_##name
#include "oracle/mutants/search.h"

BROKEN void add_reader(sleep_stack *s, sleeper asleep) {
    if (footprint_count(asleep.footprint) == 1) {
        memory_access a = footprint_access(asleep.footprint, 0);
        a.mode = ACCESS_READ;
        asleep.footprint = footprint_single(a);
    }
    sleep_add(s, asleep);
}

#define sleep_add        add_reader
#define strategy_optimal mutant_optimal_sleepers_read
#include "dpor/optimal.c"
#include "dpor/search.c"
#include "dpor/search_sleep.c"
