/* The hidden part of named semaphores (memory/hidden.h). */
#ifndef HEDDLE_TARGETS_RUNTIME_SYNC_NAMED_SEMAPHORE_H
#define HEDDLE_TARGETS_RUNTIME_SYNC_NAMED_SEMAPHORE_H

#include <stdbool.h>
#include <stdint.h>

/* The first is also in the program's array (libc/semaphore.def). */
enum { NAMED_SEMAPHORES_MAX = 16, NAMED_SEMAPHORE_SIZE = 64 };

typedef struct named_semaphore {
    char name[NAMED_SEMAPHORE_SIZE];
    bool named;      /* not unlinked */
    uint32_t opened; /* times opened less times closed */
} named_semaphore;

typedef struct named_semaphores {
    named_semaphore items[NAMED_SEMAPHORES_MAX];
} named_semaphores;

/* The name of the semaphore at this address, or NULL. */
const char *named_semaphore_at(uintptr_t address);

#endif
