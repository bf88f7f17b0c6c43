/* The order in which POP's work items are done. Any order gives the same executions; the latest
 * first keeps few of them, and mostly continues where the execution before has been.
 *
 * An item that has little in common with that execution, where the one below it has much, is put
 * off: to do it now would cost both most of their steps. Of a race with an early event there is
 * often one such item for every execution, all of them alike: done together, each begins like the
 * one before. There is a most of them, so that memory stays flat. */
#ifndef HEDDLE_DPOR_POP_POP_ORDER_H
#define HEDDLE_DPOR_POP_POP_ORDER_H

#include "dpor/pop/pop.h"

/* How many items there are. */
static inline uint32_t order_count(const pop *p) {
    return p->items.count + p->put_off.count;
}

/* Takes the next one, of which there is one. */
work_item *order_take(pop *);

/* Those that were put off are the latest, and are done now. */
void order_resume(pop *);

#endif
