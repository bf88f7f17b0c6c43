/* Correction P7, lines 10-11 as printed: a write discards every expression that contains its
 * variable, also inside. */
#define MUTANT(name) pop_inner_discarded_##name
#include "oracle/mutants/sleep_tree.h"

BROKEN bool writes_some_of(footprint writer, footprint of) {
    for (uint32_t i = 0; i < footprint_count(writer); i++) {
        memory_access a = footprint_access(writer, i);
        a.mode &= ACCESS_WRITE;
        if (a.mode && footprint_conflict(footprint_single(a), of)) {
            return true;
        }
    }
    return false;
}

/* An inherited tree without a base forbids nothing. */
#define completes_inherited(t, part, g) PICK_##t, part, g)
#define PICK_sleep_tree                 completes(sleep_tree
#define PICK_t                          discards(t
static bool completes(sleep_tree *t, tree_part *part, const tree_event *g);
BROKEN bool discards(sleep_tree *t, tree_part *part, const tree_event *g) {
    bool completed = completes(t, part, g);
    if (writes_some_of(g->footprint, part->inherited->base_footprint)) {
        part->inherited->base_footprint = FOOTPRINT_EMPTY;
        part->heads = 0;
    }
    return completed;
}

#include "dpor/pop/pop_tree.c"
#include "dpor/sleep_tree.c"
#define strategy_pop mutant_pop_inner_discarded
#include "dpor/pop/pop.c"
