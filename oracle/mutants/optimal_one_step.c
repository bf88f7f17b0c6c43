/* Backtrack sets instead of wakeup trees: only the first step of a sequence is kept. */
#define MUTANT(name) optimal_one_step_##name
#include "oracle/mutants/search.h"

BROKEN bool insert_first_step(wakeup_forest *f, uint32_t root, reversal *r) {
    uint32_t at = 0, position, child = wakeup_at(f, root)->first_child;
    for (; child != WAKEUP_NONE; child = wakeup_at(f, child)->next_sibling) {
        const wakeup_node *c = wakeup_at(f, child);
        if (reversal_initial(r, c->thread, c->choice, c->footprint) != INITIAL_NOT) {
            return false;
        }
    }
    if (!reversal_left(r, &at, &position)) {
        return false;
    }
    const event *e = position == POSITION_NONE ? NULL : execution_event(r->execution, position);
    wakeup_append(f, root,
                  e ? wakeup_new(f, e->thread, e->choice, e->footprint)
                    : wakeup_new(f, r->last_thread, r->last_choice, r->last_footprint));
    return true;
}

#define wakeup_insert    insert_first_step
#define strategy_optimal mutant_optimal_one_step
#include "dpor/optimal.c"
#include "dpor/search.c"
#include "dpor/search_sleep.c"
