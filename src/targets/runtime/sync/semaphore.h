/* Semaphores (semaphore.c), for those that have names. Both are part of a step of the caller. */
#ifndef HEDDLE_TARGETS_RUNTIME_SYNC_SEMAPHORE_H
#define HEDDLE_TARGETS_RUNTIME_SYNC_SEMAPHORE_H

#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>

void semaphore_create(sem_t *semaphore, unsigned value);

/* Sets whether using it is allowed, or a misuse. */
void semaphore_set_usable(sem_t *semaphore, bool usable);

/* While something is tried (kernel/spin_observers.h): it has no units. */
void semaphore_empty(uint32_t index);

#endif
