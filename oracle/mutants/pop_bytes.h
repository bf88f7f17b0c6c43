/* For mutants of pop_bytes.c and sleep_tree_bytes.c: both are copied into the mutant under the
 * names that the mutant's macro MUTANT gives. Only explorations that move work notice. */
#include "oracle/mutants/pop.h"

#define items_encode MUTANT(items_encode)
#define items_decode MUTANT(items_decode)
#define tree_encode  MUTANT(tree_encode)
#define tree_decode  MUTANT(tree_decode)
#define pop_work     MUTANT(pop_work)

#include "dpor/pop/pop.h"
#include "dpor/sleep_tree_bytes.h"
