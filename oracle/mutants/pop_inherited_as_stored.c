/* Correction P6: inherited trees are taken as they were stored. */
#define MUTANT(name) pop_inherited_as_stored_##name
#include "oracle/mutants/pop_tree.h"

BROKEN void advance_nothing(sleep_tree *t, const tree_event *g) {
    (void)t, (void)g;
}

#define tree_advance advance_nothing
#include "dpor/pop/pop_tree.c"
#define strategy_pop mutant_pop_inherited_as_stored
#include "dpor/pop/pop.c"
