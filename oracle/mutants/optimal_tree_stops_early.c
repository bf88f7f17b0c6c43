/* A sequence is dropped if any child of the root is a weak initial of it. */
#define MUTANT(name) optimal_tree_stops_early_##name
#include "oracle/mutants/search.h"

BROKEN bool insert_unless_child(wakeup_forest *f, uint32_t root, reversal *r) {
    uint32_t child = wakeup_at(f, root)->first_child;
    for (; child != WAKEUP_NONE; child = wakeup_at(f, child)->next_sibling) {
        const wakeup_node *c = wakeup_at(f, child);
        if (reversal_initial(r, c->thread, c->choice, c->footprint) != INITIAL_NOT) {
            return false;
        }
    }
    return wakeup_insert(f, root, r);
}

#define wakeup_insert    insert_unless_child
#define strategy_optimal mutant_optimal_tree_stops_early
#include "dpor/optimal.c"
#include "dpor/search.c"
#include "dpor/search_sleep.c"
