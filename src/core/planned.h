/* A wakeup sequence that stands on its own: its steps with their happens-before, kept when the
 * execution that it was taken from is gone. Steps are consumed as the sequence is followed down a
 * tree. */
#ifndef HEDDLE_CORE_PLANNED_H
#define HEDDLE_CORE_PLANNED_H

#include "core/reversal.h"

typedef struct planned_step {
    uint32_t thread;
    uint32_t choice;
    footprint footprint;
    uint32_t index; /* how many events of its thread come before it */
    bool consumed;
} planned_step;

typedef struct planned {
    VECTOR(planned_step) steps;
    VECTOR(uint32_t) clocks; /* a row per step; none if nobody asks for initials */
    uint32_t stride;
} planned;

void planned_free(planned *);
void planned_copy(planned *, const planned *from);

/* What is left of the reversal's sequence. */
void planned_take(planned *, reversal *);

/* Whether the step is a weak initial of what is left. */
enum initial planned_initial(const planned *, uint32_t thread, uint32_t choice, footprint);

/* Consumes the first step of the thread that is left; false if there is none. */
bool planned_consume(planned *, uint32_t thread);

/* Removes what has been consumed. */
void planned_compact(planned *);

#endif
