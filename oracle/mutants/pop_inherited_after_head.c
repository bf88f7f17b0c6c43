/* Correction P5, Proposition 1 (C) as printed: k <= i. What is inherited from a schedule has to
 * happen after the head of that schedule, too. */
#define MUTANT(name) pop_inherited_after_head_##name
#include "oracle/mutants/sleep_tree.h"

#define completes_inherited(t, part, g) PICK_##t, part, g)
#define PICK_sleep_tree                 completes(sleep_tree
#define PICK_t                          has_before(part->head_thread, part->head_index, g) & completes(t

#include "core/sleep_tree.c"
#include "strategies/pop_tree.c"
#define strategy_pop mutant_pop_inherited_after_head
#include "strategies/pop.c"
