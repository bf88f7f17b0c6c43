/* Who sees that a thread holds a lock in a round that is left out (spin.h): whoever tries to take
 * it, and fails. Then the round cannot be left out, unless the failure is no more than a part of a
 * round that can be left out as well: the thread gives back what it has taken since, and is where
 * it was before (docs/ALGORITHMS.md, "Spin loops").
 *
 * A try that succeeds in every execution that is explored would fail in others. So what it does
 * when it fails is tried, once for each local state. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_SPIN_OBSERVERS_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_SPIN_OBSERVERS_H

#include "targets/runtime/kernel/spin_table.h"

/* The pending operation is a try of a lock or a semaphore, and it is not known yet whether the
 * thread is an observer of it. */
bool spin_may_observe(const runtime_thread *);

/* The pending operation, a try, is made to fail, and the thread runs until it is back (while
 * something is tried). */
spin_failure spin_observers_fail(runtime_thread *);

/* What it does after the failure may be left out. Otherwise the thread is an observer from now on,
 * and the exploration starts over. */
bool spin_observers_is_void(const runtime_thread *, const spin_failure *);
void spin_observers_add(uint32_t sync, uint32_t observer);

/* An observer of the object, or 0, that others know of. True: it is new. */
struct sync_object;
bool spin_observers_merge(struct sync_object *, uint32_t observer);

/* The thread is about to take a step; it has taken it. */
void spin_observers_begin(runtime_thread *);
void spin_observers_note(runtime_thread *, enum operation_kind kind, uint32_t object, bool wrote);

#endif
