/* Sequences that went below a step not to be done are lost with it, as in ISSTA 2019. */
#include "oracle/mutants/context.h"

BROKEN void forget_at_once(remembered_pool *p, uint32_t node, const planned *sequence,
                           uint32_t length) {
    (void)p;
    (void)node;
    (void)sequence;
    (void)length;
}

#define remembered_add   forget_at_once
#define strategy_context mutant_context_swallows
#include "strategies/context.c"
