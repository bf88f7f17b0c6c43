/* Correction P2: R starts empty. */
#define MUTANT(name) pop_related_empty_##name
#include "oracle/mutants/pop_tree.h"

BROKEN void relate_nothing(sleep_tree *t, uint32_t thread, uint32_t index) {
    (void)t, (void)thread, (void)index;
}

#define tree_add_related relate_nothing
#include "dpor/pop/pop_tree.c"
#define strategy_pop mutant_pop_related_empty
#include "dpor/pop/pop.c"
