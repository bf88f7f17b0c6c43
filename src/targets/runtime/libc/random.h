/* Random numbers, by whichever function: each thread has its own sequence, the same in every
 * execution and, because no other thread uses it, in equivalent ones. */
#ifndef HEDDLE_TARGETS_RUNTIME_LIBC_RANDOM_H
#define HEDDLE_TARGETS_RUNTIME_LIBC_RANDOM_H

#include <stddef.h>
#include <stdint.h>

uint64_t random_number(void);

/* Writes `size` random bytes to the program's memory, for a call at `here`. */
void random_fill(void *place, size_t size, const void *here);

#endif
