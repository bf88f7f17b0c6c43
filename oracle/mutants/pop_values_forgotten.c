/* A tree does not know what the first event of the race left behind. */
#include "oracle/mutants/pop.h"

BROKEN void add_no_value(sleep_tree *t, uint32_t object, uint64_t value) {
    (void)t, (void)object, (void)value;
}

#define tree_add_value add_no_value
#define strategy_pop   mutant_pop_values_forgotten
#include "strategies/pop.c"
