/* Who touches an object later: a pass over an execution from its end to its start.
 *
 * An event whose objects nobody but its own thread touches later is the first event of no race.
 * Without this, every event of an execution would cost a pass over the rest of it. */
#ifndef HEDDLE_DPOR_TOUCH_H
#define HEDDLE_DPOR_TOUCH_H

#include "core/execution.h"

typedef struct touch_map {
    VECTOR(uint32_t) touchers; /* by object: 0, the one thread + 1, or many */
} touch_map;

void touch_free(touch_map *);

/* At the end of the execution: nobody touches anything any more. */
void touch_start(touch_map *, const execution *);

/* The event lies behind from now on. */
void touch_pass(touch_map *, const event *);

/* Only its own thread, if any, touches later what the event touches. False for steps that wake
 * others. */
bool touch_is_private(const touch_map *, const event *);

#endif
