/* Work as bytes: every step takes its first alternative. */
#define MUTANT(name) pop_bytes_choices_lost_##name
#include "oracle/mutants/pop_bytes.h"

BROKEN void put_no_choice(name_writer *w, uint32_t choice) {
    names_put_choice(w, choice == CHOICE_NONE ? choice : 0);
}

#define names_put_choice put_no_choice
#include "dpor/pop/pop_bytes.c"
#include "dpor/pop/pop_work.c"
#include "dpor/sleep_tree_bytes.c"
#define strategy_pop mutant_pop_bytes_choices_lost
#include "dpor/pop/pop.c"
