/* No tree ever forbids anything. */
#define MUTANT(name) pop_trees_ignored_##name
#include "oracle/mutants/pop_tree.h"

BROKEN bool update_nothing(sleep_tree *t, const tree_event *g) {
    (void)tree_update(t, g);
    return false;
}

#define tree_update           update_nothing
#define tree_forbids(tree, g) (false && tree_forbids(tree, g))
#include "dpor/pop/pop_tree.c"
#define strategy_pop mutant_pop_trees_ignored
#include "dpor/pop/pop.c"
