/* Random numbers, whatever the program asks them from: a sequence of each thread's own, the same in
 * every execution, and, because nobody else draws from it, in equivalent ones. */
#ifndef HEDDLE_TARGETS_RUNTIME_LIBC_RANDOM_H
#define HEDDLE_TARGETS_RUNTIME_LIBC_RANDOM_H

#include <stddef.h>
#include <stdint.h>

uint64_t random_number(void);

/* Writes so many to the program's memory, for a call at `here`. */
void random_fill(void *place, size_t size, const void *here);

#endif
