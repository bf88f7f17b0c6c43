/* Every sequence becomes a branch of its own, from the root. */
#define MUTANT(name) optimal_tree_not_followed_##name
#include "oracle/mutants/search.h"

BROKEN bool insert_at_root(wakeup_forest *f, uint32_t root, reversal *r) {
    uint32_t at = 0, position;
    while (reversal_left(r, &at, &position)) {
        const event *e = position == POSITION_NONE ? NULL : execution_event(r->execution, position);
        uint32_t added = e ? wakeup_new(f, e->thread, e->choice, e->footprint)
                           : wakeup_new(f, r->last_thread, r->last_choice, r->last_footprint);
        wakeup_append(f, root, added);
        root = added;
    }
    return true;
}

#define wakeup_insert              insert_at_root
#define wakeup_check(forest, root) ((void)0)
#define strategy_optimal           mutant_optimal_tree_not_followed
#include "dpor/optimal.c"
#include "dpor/search.c"
#include "dpor/search_sleep.c"
