/* Correction P3, as printed: R grows only at lines 19, 20, 25 and 39, where a schedule might be
 * completed. */
#define MUTANT(name) pop_related_grows_rarely_##name
#include "oracle/mutants/sleep_tree.h"

BROKEN void add_nothing(uint32_t *set, uint32_t thread, uint32_t index) {
    (void)set, (void)thread, (void)index;
}

/* As in pop_blocks_after_related.c. */
#define set_add(set, thread, index) PICK_##set, thread, index)
#define PICK_uint32_t               add(uint32_t
#define PICK_set_row                add(set_row
#define PICK_met                    (candidate ? add : add_nothing)(met

#include "dpor/pop/pop_tree.c"
#include "dpor/sleep_tree.c"
#define strategy_pop mutant_pop_related_grows_rarely
#include "dpor/pop/pop.c"
