/* Which threads access an object later: a pass over an execution from its end to its start.
 *
 * An event whose objects only its own thread accesses later is the first event of no race. Without
 * this, every event of an execution would cost a pass over the rest of it. */
#ifndef HEDDLE_DPOR_TOUCH_H
#define HEDDLE_DPOR_TOUCH_H

#include "core/execution.h"

typedef struct later_users {
    VECTOR(uint32_t) touchers; /* by object: 0, the one thread + 1, or many */
} later_users;

void touch_free(later_users *);

/* Starts at the end of the execution, where nothing is accessed later. */
void touch_start(later_users *, const execution *);

/* Passes the event: from now on it is a later one. */
void touch_pass(later_users *, const event *);

/* No other thread accesses the event's objects later. False for steps that wake others. */
bool touch_is_private(const later_users *, const event *);

#endif
