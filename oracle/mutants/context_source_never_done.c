/* What is not to be done stays so, whatever happens in between. */
#define MUTANT(name) context_source_never_done_##name
#include "oracle/mutants/backtracking.h"

BROKEN void descend_anyway(dontdo_stack *d, const event *taken) {
    event idle = *taken;
    idle.footprint = FOOTPRINT_EMPTY;
    dontdo_descend(d, &idle);
}

#define dontdo_descend descend_anyway
#include "dpor/backtracking.c"
#define strategy_source context_source_never_done_source
#define on_race         on_race_of_source
#include "dpor/source.c"
#undef on_race
#define strategy_context_source mutant_context_source_never_done
#include "dpor/context_source.c"
