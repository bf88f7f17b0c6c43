/* Correction P2: R starts empty. */
#include "oracle/mutants/pop.h"

BROKEN void relate_nothing(sleep_tree *t, uint32_t thread, uint32_t index) {
    (void)t, (void)thread, (void)index;
}

#define tree_add_related relate_nothing
#define strategy_pop     mutant_pop_related_empty
#include "strategies/pop.c"
