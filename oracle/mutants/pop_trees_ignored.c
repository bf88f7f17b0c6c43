/* No tree ever forbids anything. */
#include "oracle/mutants/pop.h"

BROKEN bool update_in_vain(sleep_tree *t, const tree_event *g) {
    (void)tree_update(t, g);
    return false;
}

#define tree_update  update_in_vain
#define strategy_pop mutant_pop_trees_ignored
#include "strategies/pop.c"
