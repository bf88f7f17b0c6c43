/* Locks under which loops poll (spin.h): what takes them, and whether others can see that. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_SPIN_SYNC_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_SPIN_SYNC_H

#include "targets/runtime/kernel/runtime.h"

/* It waits for a mutex, a read-write lock or a unit of a semaphore. */
bool spin_is_lock(uint8_t kind);
bool spin_is_semaphore(uint8_t kind);

/* Finds the synchronisation object of a pending lock or try (`spin_sync`). False: it cannot be
 * examined: others hold it, or may see that the thread does. */
bool spin_find_sync(runtime_thread *t);

/* The same, regardless of who holds it or can see it. False: its state is more than who holds it.
 */
bool spin_find_usual(runtime_thread *t);

/* The pending operation is a lock, or a try that succeeds, of the object that was found. */
bool spin_takes_sync(const runtime_thread *t);

#endif
