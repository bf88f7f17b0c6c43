/* What is not to be done stays so, whatever happens in between. */
#include "oracle/mutants/context.h"

BROKEN void descend_anyway(dontdo_stack *d, const event *taken) {
    event idle = *taken;
    idle.footprint = FOOTPRINT_EMPTY;
    dontdo_descend(d, &idle);
}

#define dontdo_descend   descend_anyway
#define strategy_context mutant_context_never_done
#include "strategies/context.c"
