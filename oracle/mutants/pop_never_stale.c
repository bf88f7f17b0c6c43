/* Definition 6: every race is fresh. */
#include "oracle/mutants/pop.h"

#define is_fresh(p, late, first)   PICK_##first(p, late, first)
#define PICK_first(p, late, first) ((void)(first), true)
#define PICK_uint32_t              __attribute__((unused))
#define strategy_pop               mutant_pop_never_stale
#include "dpor/pop/pop.c"
