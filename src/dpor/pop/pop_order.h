/* The order in which POP's work items are run. Any order gives the same executions. Taking the
 * latest first keeps few items at a time, and mostly continues near the previous execution.
 *
 * An item that has little in common with that execution, where the one below it has much, is
 * deferred: running it now would cost both most of their steps. A race with an early event often
 * gives one such item in every execution, all of them similar: when they are run together, each
 * begins like the one before. Their number is bounded, so that memory stays flat. */
#ifndef HEDDLE_DPOR_POP_POP_ORDER_H
#define HEDDLE_DPOR_POP_POP_ORDER_H

#include "dpor/pop/pop.h"

/* How many items there are. */
static inline uint32_t order_count(const pop *p) {
    return p->items.count + p->put_off.count;
}

/* Takes the next item; there must be one. */
work_item *order_take(pop *);

/* The deferred items become the latest, and are run now. */
void order_resume(pop *);

#endif
