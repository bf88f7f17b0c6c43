/* A tree takes steps of spin loops to be possible wherever they are moved. */
#define MUTANT(name) pop_spins_open_##name
#include "oracle/mutants/pop_tree.h"

#include "dpor/pop/pop_spin.h"

BROKEN const tree_condition *no_condition(pop_condition *c, pop *p, uint32_t position) {
    (void)c, (void)p, (void)position;
    return NULL;
}

BROKEN const tree_condition *no_head_condition(pop_condition *c, pop *p, uint32_t first,
                                               uint32_t thread, const operation *op) {
    (void)c, (void)p, (void)first, (void)thread, (void)op;
    return NULL;
}

#define pop_condition_of_event no_condition
#define pop_condition_of_head  no_head_condition
#include "dpor/pop/pop_tree.c"
#define strategy_pop mutant_pop_spins_open
#include "dpor/pop/pop.c"
