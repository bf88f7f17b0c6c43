/* The past of the second event is its base: nothing that conflicts with it is in it. */
#include "oracle/mutants/pop.h"

#define join_conflicting(p, late, first) PICK_##first(p, late, first)
#define PICK_first(p, late, first)       ((void)(first))
#define PICK_uint32_t                    __attribute__((unused))
#define strategy_pop                     mutant_pop_base_only
#include "dpor/pop/pop.c"
