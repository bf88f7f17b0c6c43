/* Futexes, for locks that are written by hand. */
#ifndef HEDDLE_TARGETS_RUNTIME_SYNC_FUTEX_H
#define HEDDLE_TARGETS_RUNTIME_SYNC_FUTEX_H

#include <stdint.h>
#include <time.h>

/* The system call; returns what syscall does. `return_address` is the caller's. */
long futex_call(uint32_t *address, int operation, uint32_t value, const struct timespec *time,
                uint32_t bits, const void *return_address);

#endif
