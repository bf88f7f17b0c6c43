/* The events of an execution that race with the next step of a thread.
 *
 * For an ordinary step these are the conflicting events of other threads that happen before it
 * directly, with nothing between (JACM 2017, section 3.3). Three cases go beyond that:
 * - an acquisition races with the latest event that found the mutex free, if that is another
 *   thread's and does not happen before the thread's previous event (Algorithm 3, lines 2-8, with
 *   the two conditions that are missing there): mostly an acquisition, but also the initialisation
 *   or destruction of the mutex, or an unlock in error; unlock -> lock is never a race;
 * - an await, or another operation that blocks (OPERATION_BLOCKS), races with every event that it
 *   conflicts with and that is not before the thread's previous event: the caller has to find out
 *   whether it could run before that event;
 * - the re-lock of a timed waiter races with the event that woke it: it might have timed out
 *   instead. */
#ifndef HEDDLE_DPOR_RACE_H
#define HEDDLE_DPOR_RACE_H

#include "core/execution.h"

typedef VECTOR(uint32_t) position_list;

/* Positions of the racing events, in descending order, without duplicates. The step is the event
 * at `position`, or, if that is the length of the execution, one that `thread` has pending. */
void race_find(const execution *, uint32_t position, uint32_t thread, const operation *,
               position_list *races);

#endif
