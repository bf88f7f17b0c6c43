/* Work as bytes: the trees that sleep after a head are left behind. */
#define MUTANT(name) pop_bytes_awake_##name
#include "oracle/mutants/pop_bytes.h"

/* The first argument distinguishes the definition from the call. */
#define put_record(record, asleep, w) PICK_##record, asleep, w)
#define PICK_const                    put_whole_record(const
#define PICK_item                     put_record_awake(item
static void put_whole_record(const head_record *record, bool asleep, name_writer *w);
BROKEN void put_record_awake(const head_record *record, bool asleep, name_writer *w) {
    (void)asleep;
    put_whole_record(record, false, w);
}

#include "dpor/pop/pop_bytes.c"
#include "dpor/pop/pop_work.c"
#include "dpor/sleep_tree_bytes.c"
#define strategy_pop mutant_pop_bytes_awake
#include "dpor/pop/pop.c"
