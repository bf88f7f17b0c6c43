/* What conditions and <threads.h> need of mutexes. */
#ifndef HEDDLE_TARGETS_RUNTIME_SYNC_MUTEX_H
#define HEDDLE_TARGETS_RUNTIME_SYNC_MUTEX_H

#include "targets/runtime/sync/sync.h"

extern const sync_class mutex_class;

/* The functions of <pthread.h>, called from `location`. */
void mutex_init(pthread_mutex_t *mutex, int kind, uint32_t location);
void mutex_destroy(pthread_mutex_t *mutex, uint32_t location);
int mutex_lock(pthread_mutex_t *mutex, uint32_t location);
int mutex_try(pthread_mutex_t *mutex, int refusal, uint32_t location);
int mutex_lock_until(pthread_mutex_t *mutex, uint64_t deadline, uint32_t location);
int mutex_unlock(pthread_mutex_t *mutex, uint32_t location);

/* The thread ends: what it holds of robust mutexes is left to others. */
void mutex_leave_robust(runtime_thread *t);

/* The step by which the thread locks it was taken: checks that it can be used, and holds it. */
void mutex_take(runtime_thread *t, uint32_t index, uint32_t location);

/* The result of a lock that has just taken it: 0, or an error that says that the owner of a robust
 * mutex has ended. With ENOTRECOVERABLE the thread does not hold it. */
int mutex_result(uint32_t index);

/* The step by which the thread unlocks it was taken. */
void mutex_give(runtime_thread *t, uint32_t index);

#endif
