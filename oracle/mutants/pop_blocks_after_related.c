/* Correction P1, lines 18, 23 and 38 as printed: a schedule is forbidden if some event of R happens
 * before its head. */
#define MUTANT(name) pop_blocks_after_related_##name
#include "oracle/mutants/sleep_tree.h"

/* The first argument distinguishes the definition, the calls for other sets, and the one for R. */
#define set_before(set, clock, stride) PICK_##set, clock, stride)
#define PICK_const                     is_before(const
#define PICK_set_row                   is_before(set_row
#define PICK_met                       !is_before(met

#include "dpor/pop/pop_tree.c"
#include "dpor/sleep_tree.c"
#define strategy_pop mutant_pop_blocks_after_related
#include "dpor/pop/pop.c"
