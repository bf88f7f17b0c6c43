/* A tree does not know what the first event of the race left behind. */
#define MUTANT(name) pop_values_forgotten_##name
#include "oracle/mutants/pop_tree.h"

BROKEN void add_no_value(sleep_tree *t, uint32_t object, uint64_t value) {
    (void)t, (void)object, (void)value;
}

#define tree_add_value add_no_value
#include "dpor/pop/pop_tree.c"
#define strategy_pop mutant_pop_values_forgotten
#include "dpor/pop/pop.c"
