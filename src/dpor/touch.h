/* Who touches an object later: a pass over an execution from its end to its start.
 *
 * An event whose objects nobody but its own thread touches later is the first event of no race.
 * Without this, every event of an execution would cost a pass over the rest of it. */
#ifndef HEDDLE_DPOR_TOUCH_H
#define HEDDLE_DPOR_TOUCH_H

#include "core/execution.h"

typedef struct later_users {
    VECTOR(uint32_t) touchers; /* by object: 0, the one thread + 1, or many */
} later_users;

void touch_free(later_users *);

/* At the end of the execution: nobody touches anything later. */
void touch_start(later_users *, const execution *);

/* The event is a later one from now on. */
void touch_pass(later_users *, const event *);

/* Only its own thread, if any, touches later what the event touches. False for steps that wake
 * others. */
bool touch_is_private(const later_users *, const event *);

#endif
