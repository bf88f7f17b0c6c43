/* Condition variables. A wait is three steps: into the set of waiters, unlock, lock again; the
 * last one is enabled by a waker, whose event is its cause. A signal chooses which of the present
 * waiters it wakes. A timed waiter that nobody has woken may leave at any time. */
#ifndef HEDDLE_RUNTIME_CONDITION_H
#define HEDDLE_RUNTIME_CONDITION_H

#include "runtime/runtime.h"

/* Pending operations that others change. */
void condition_refresh_waiter(runtime_thread *t);
void condition_refresh_signal(runtime_thread *t);

#endif
