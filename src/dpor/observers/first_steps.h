/* What every thread did, step by step, in the first execution that ended: whether all later ones
 * have the same steps, in other orders. */
#ifndef HEDDLE_DPOR_OBSERVERS_FIRST_STEPS_H
#define HEDDLE_DPOR_OBSERVERS_FIRST_STEPS_H

#include "core/execution.h"

typedef struct first_step {
    footprint footprint;
    uint8_t kind; /* enum operation_kind */
} first_step;

typedef VECTOR(first_step) first_step_list;

/* Begins as zeroes. */
typedef struct first_steps {
    VECTOR(first_step_list) threads;
} first_steps;

/* Every thread has done the same as in the first execution; this one, if there was none. */
bool first_steps_same(first_steps *, const execution *);
void first_steps_free(first_steps *);

#endif
