/* Correction P5, Proposition 1 (C) as printed: k <= i. What is inherited from a schedule has to
 * happen after the head of that schedule, too. */
#define MUTANT(name) pop_inherited_after_head_##name
#include "oracle/mutants/sleep_tree.h"

/* The first argument distinguishes the definition from the call. */
#define completes_inherited(t, part, g) PICK_##t, part, g)
#define PICK_sleep_tree                 completes(sleep_tree
#define PICK_t                          completes_after_head(t
static bool completes(sleep_tree *t, tree_part *part, const tree_event *g);
BROKEN bool completes_after_head(sleep_tree *t, tree_part *part, const tree_event *g) {
    bool completed = completes(t, part, g);
    return completed && g->clock[part->head_thread] > part->head_index;
}

#include "dpor/pop/pop_tree.c"
#include "dpor/sleep_tree.c"
#define strategy_pop mutant_pop_inherited_after_head
#include "dpor/pop/pop.c"
