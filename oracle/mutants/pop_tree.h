/* For mutants of pop_tree.c: it is copied into the mutant under the names that the mutant's macro
 * MUTANT gives. */
#include "oracle/mutants/pop.h"

#define pop_pass_sleep_sets MUTANT(pop_pass_sleep_sets)
#define pop_make_tree       MUTANT(pop_make_tree)
#define pop_overwrites      MUTANT(pop_overwrites)
#define pop_record_head     MUTANT(pop_record_head)

#include "dpor/pop/pop.h"
