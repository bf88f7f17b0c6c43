/* The schedules of an exploration, kept in order to replay the same executions with nothing else:
 * the floor below which no algorithm can come on a target that is run again from its beginning.
 *
 * A step is one word, a thread and an alternative, so that reading the recording costs next to
 * nothing beside the step itself. The recording has a limit; what does not fit is not recorded. */
#ifndef HEDDLE_BENCH_RECORDING_H
#define HEDDLE_BENCH_RECORDING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vector.h"
#include "core/execution.h"
#include "explore/target.h"

typedef struct recording {
    VECTOR(uint32_t) steps;   /* thread, and the alternative in the upper half */
    VECTOR(uint32_t) lengths; /* of the executions, one behind the other in `steps` */
    bool full;                /* an execution did not fit, or a step not into a word */
} recording;

enum { RECORDING_MOST_STEPS = 1 << 26 };

void recording_free(recording *);
void recording_clear(recording *);

/* Adds an execution, unless the recording is full. */
void recording_add(recording *, const execution *);

/* Runs all its executions: reset, and a step for every event. */
void recording_replay(const recording *, target *);

/* The same for the first execution, as the explorer takes steps: the pending operation is asked
 * for and the event appended to an execution, which is empty afterwards. */
void recording_explore(const recording *, target *, execution *);

#endif
