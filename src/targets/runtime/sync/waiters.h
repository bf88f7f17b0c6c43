/* Threads that are in the set of waiters of an object (a condition, a futex) until another thread
 * wakes them. An operation that wakes one chooses which; every choice is explored. */
#ifndef HEDDLE_TARGETS_RUNTIME_SYNC_WAITERS_H
#define HEDDLE_TARGETS_RUNTIME_SYNC_WAITERS_H

#include "targets/runtime/sync/sync.h"

void waiters_enter(runtime_thread *t, uint32_t index);

/* The thread leaves the set without having been woken. */
void waiters_leave(runtime_thread *t);

/* Writes the numbers of the waiters, in ascending order; returns how many there are. */
uint32_t waiters_collect(uint32_t index, uint32_t *numbers);

void waiters_wake(runtime_thread *waker, uint32_t number);

/* Returns how many threads it has woken. */
uint32_t waiters_wake_all(runtime_thread *waker, uint32_t index);

/* For an operation that wakes one: its alternatives are the current waiters of t->sync. */
extern const refresh_rule waiters_choice_rule;

/* The causes of a pending operation that a waker enables. */
void waiters_set_causes(runtime_thread *t, bool woken);

#endif
