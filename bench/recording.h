/* The schedules of an exploration, kept in order to replay the same executions with nothing else:
 * the floor below which no algorithm can come on this target.
 *
 * The recording has a limit; what does not fit is not recorded. */
#ifndef HEDDLE_BENCH_RECORDING_H
#define HEDDLE_BENCH_RECORDING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vector.h"
#include "core/execution.h"
#include "explore/target.h"

typedef struct recording {
    VECTOR(step) steps;
    VECTOR(uint32_t) lengths; /* of the executions, one after the other in `steps` */
    bool full;                /* an execution did not fit */
} recording;

enum { RECORDING_MOST_STEPS = 1 << 25 };

void recording_free(recording *);
void recording_clear(recording *);

/* Adds an execution, unless the recording is full. */
void recording_add(recording *, const execution *);

/* Runs all its executions, in the fastest way that the target has. */
void recording_replay(const recording *, target *);

/* The same, going back from each to what it shares with the next one, instead of starting over. */
void recording_go_back(const recording *, target *);

/* The same with a call for every step. */
void recording_step(const recording *, target *);

/* The same for the first execution, as the explorer takes steps: the pending operation is asked
 * for and the event appended to an execution, which is empty afterwards. */
void recording_explore(const recording *, target *, execution *);

#endif
