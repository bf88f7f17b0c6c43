/* A self-contained sequence of steps, each with its footprint at its place in the sequence. The
 * execution or tree that it was taken from may change or be freed. (A reversal, dpor/reversal.h, is
 * a sequence that is still part of its execution: faster, but bound to it.) */
#ifndef HEDDLE_DPOR_SEQUENCE_H
#define HEDDLE_DPOR_SEQUENCE_H

#include "dpor/sleep.h"

typedef VECTOR(sleeper) step_sequence;

/* The event as a step. */
static inline sleeper sequence_step_of(const event *of) {
    return (sleeper){of->thread, of->choice, of->footprint};
}

void sequence_copy(step_sequence *, const step_sequence *from);

/* Some step is of that thread. */
bool sequence_contains(const step_sequence *, uint32_t thread);

/* None of the steps conflicts with the footprint. */
bool sequence_is_independent(const sleeper *steps, uint32_t count, footprint);

/* Removes the first step of the thread; false if it has none. */
bool sequence_remove(step_sequence *, uint32_t thread);

#endif
