/* A wakeup sequence that stands on its own: its steps with their happens-before, kept when the
 * execution that it was taken from is gone. Steps can be consumed, as the sequence is followed down
 * a tree, and given back. */
#ifndef HEDDLE_CORE_PLANNED_H
#define HEDDLE_CORE_PLANNED_H

#include "core/reversal.h"

#define PLANNED_LEFT UINT32_MAX

typedef struct planned_step {
    uint32_t thread;
    uint32_t index; /* how many events of its thread come before it */
    uint32_t choice;
    uint32_t consumed; /* the length of the prefix at which it was, or PLANNED_LEFT */
    footprint footprint;
} planned_step;

typedef struct planned {
    VECTOR(planned_step) steps;
    VECTOR(uint32_t) clocks; /* a row per step */
    uint32_t stride;
} planned;

void planned_free(planned *);
void planned_copy(planned *, const planned *from);

/* What is left of the reversal's sequence. */
void planned_take(planned *, reversal *);

/* Whether the step is a weak initial of what is left. If it is inside, *at is its place. */
enum initial planned_initial(const planned *, uint32_t thread, uint32_t choice, footprint,
                             uint32_t *at);

/* Gives back the steps that were consumed at prefixes of that length or longer. */
void planned_restore(planned *, uint32_t length);

#endif
