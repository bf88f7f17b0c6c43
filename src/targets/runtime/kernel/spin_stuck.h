/* Threads that wait in spin loops while no thread is enabled: whether they can continue.
 *
 * Such a thread stands before the last of the reads of a round. It runs alone, with every
 * choice that it can make on the way: if it always returns to an earlier state, it is stuck. If
 * not, one of the earlier reads has gone stale, or another choice leaves the loop; the execution in
 * which the thread continues is explored elsewhere, and this one is an artifact. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_SPIN_STUCK_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_SPIN_STUCK_H

#include "targets/runtime/kernel/runtime.h"

/* The program has taken a step, or starts over: what spin_judge has found no longer holds. */
void spin_stuck_forget(void);
void spin_stuck_close(void);

/* spin.c: a thread that has not taken a step yet has a local state as well. */
void spin_arrive_first(runtime_thread *t);

#endif
