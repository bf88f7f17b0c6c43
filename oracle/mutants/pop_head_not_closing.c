/* Correction P4, line 3 as printed: if the second event of the race is a schedule head, its tree is
 * not inherited. */
#define MUTANT(name) pop_head_not_closing_##name
#include "oracle/mutants/pop_tree.h"

BROKEN void add_no_part(pop *p, uint32_t thread, uint32_t index, sleep_tree *inherited) {
    (void)thread, (void)index;
    if (inherited) {
        tree_release(&p->pool.trees, inherited);
    }
}

#define tree_add_part(tree, thread, index, inherited) PICK_##thread, index, inherited)
#define PICK_of                                       (tree_add_part)(tree, of
#define PICK_late                                     add_no_part(p, late
#include "dpor/pop/pop_tree.c"
#define strategy_pop mutant_pop_head_not_closing
#include "dpor/pop/pop.c"
