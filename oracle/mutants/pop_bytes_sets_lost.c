/* Work as bytes: trees forget which of their sets belong to what. */
#define MUTANT(name) pop_bytes_sets_lost_##name
#include "oracle/mutants/pop_bytes.h"

/* The first argument distinguishes the definition from the call. */
#define take_below(r, count) BELOW_##r, count)
#define BELOW_name_reader    take_row(name_reader
#define BELOW_r              take_no_row(r
static uint32_t take_row(name_reader *r, uint32_t count);
BROKEN uint32_t take_no_row(name_reader *r, uint32_t count) {
    take_row(r, count);
    return 0;
}

#include "dpor/pop/pop_bytes.c"
#include "dpor/pop/pop_work.c"
#include "dpor/sleep_tree_bytes.c"
#define strategy_pop mutant_pop_bytes_sets_lost
#include "dpor/pop/pop.c"
