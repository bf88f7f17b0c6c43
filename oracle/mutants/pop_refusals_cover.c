/* An event that a blocking step could not have preceded covers what happens before it. */
#include "oracle/mutants/pop.h"

#define is_covered(p, position) PICK_##position(p, position)
#define PICK_first(p, position) ((p)->races.count && (position) != vector_at(&(p)->races, 0))
#define PICK_uint32_t           __attribute__((unused))
#define strategy_pop            mutant_pop_refusals_cover
#include "dpor/pop/pop.c"
