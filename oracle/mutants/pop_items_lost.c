/* A tree has no items: nothing but heads can be forbidden. */
#define MUTANT(name) pop_items_lost_##name
#include "oracle/mutants/pop_tree.h"

BROKEN void add_no_item(sleep_tree *t, const event *e) {
    (void)t, (void)e;
}

#define tree_add_item add_no_item
#include "dpor/pop/pop_tree.c"
#define strategy_pop mutant_pop_items_lost
#include "dpor/pop/pop.c"
