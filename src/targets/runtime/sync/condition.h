/* What <threads.h> needs of conditions: the functions of <pthread.h>, called from `location`. */
#ifndef HEDDLE_TARGETS_RUNTIME_SYNC_CONDITION_H
#define HEDDLE_TARGETS_RUNTIME_SYNC_CONDITION_H

#include "targets/runtime/sync/sync.h"

void condition_init(pthread_cond_t *condition, uint32_t location);
void condition_destroy(pthread_cond_t *condition, uint32_t location);
int condition_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, uint32_t location);
int condition_wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t deadline,
                         uint32_t location);
int condition_signal(pthread_cond_t *condition, uint32_t location);
int condition_broadcast(pthread_cond_t *condition, uint32_t location);

#endif
