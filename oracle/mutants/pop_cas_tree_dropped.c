/* Rule B4: the tree of a successful compare-and-swap is not kept. */
#include "oracle/mutants/pop.h"

#define ROLE_COMPARES 0u
#define strategy_pop  mutant_pop_cas_tree_dropped
#include "dpor/pop/pop.c"
