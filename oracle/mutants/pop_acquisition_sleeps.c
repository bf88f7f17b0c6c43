/* A lock for reading goes to sleep, although whatever conflicts with the first event waits for it.
 */
#define MUTANT(name) pop_acquisition_sleeps_##name
#include "oracle/mutants/pop_tree.h"

#define ROLE_TAKES 0u
#include "dpor/pop/pop_tree.c"
#define strategy_pop mutant_pop_acquisition_sleeps
#include "dpor/pop/pop.c"
