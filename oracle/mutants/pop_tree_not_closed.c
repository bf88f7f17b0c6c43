/* Corrections P4, B1 and B2: the second event of the race is not in the tree. */
#define MUTANT(name) pop_tree_not_closed_##name
#include "oracle/mutants/pop_tree.h"

#define close_tree(p, tree, late, first) PICK_##first(p, tree, late, first)
#define PICK_first(p, tree, late, first) ((void)(late), (void)(first))
#define PICK_uint32_t                    __attribute__((unused))
#include "dpor/pop/pop_tree.c"
#define strategy_pop mutant_pop_tree_not_closed
#include "dpor/pop/pop.c"
