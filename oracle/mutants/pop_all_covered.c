/* A new tree takes the place of all sleeping ones that only read, whatever they forbid. */
#define MUTANT(name) pop_all_covered_##name
#include "oracle/mutants/pop_tree.h"

#define tree_is_covered(tree, other, head) ((tree)->quiet && (other)->quiet && (head))
#include "dpor/pop/pop_tree.c"
#define strategy_pop mutant_pop_all_covered
#include "dpor/pop/pop.c"
