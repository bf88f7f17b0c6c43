/* The steps of every thread in the first execution that ended, to see whether all later executions
 * have the same steps in other orders. */
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

/* Every thread took the same steps as in the first execution. The first call records them. */
bool first_steps_same(first_steps *, const execution *);
void first_steps_free(first_steps *);

#endif
