/* Rule B3: a head goes to sleep even if it writes all that the first event accesses. */
#include "oracle/mutants/pop.h"

#define overwrites(head, base) PICK_##base(head, base)
#define PICK_base(head, base)  ((void)(base), false)
#define PICK_footprint         __attribute__((unused))
#define strategy_pop           mutant_pop_writes_sleep
#include "dpor/pop/pop.c"
