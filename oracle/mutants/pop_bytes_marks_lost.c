/* Work as bytes: which steps are in schedules is forgotten. */
#define MUTANT(name) pop_bytes_marks_lost_##name
#include "oracle/mutants/pop_bytes.h"

/* The first argument distinguishes the definition from the call. */
#define take_steps(item, r) TAKE_##item, r)
#define TAKE_work_item      take_marked_steps(work_item
#define TAKE_item           take_unmarked_steps(item
static void take_marked_steps(work_item *item, name_reader *r);
BROKEN void take_unmarked_steps(work_item *item, name_reader *r) {
    take_marked_steps(item, r);
    for (uint32_t i = 0; i < item->marks.count; i++) {
        vector_at(&item->marks, i) = 0;
    }
}

#include "dpor/pop/pop_bytes.c"
#include "dpor/pop/pop_work.c"
#include "dpor/sleep_tree_bytes.c"
#define strategy_pop mutant_pop_bytes_marks_lost
#include "dpor/pop/pop.c"
