/* Random numbers, whatever the program asks them from: a sequence of each thread's own, the same in
 * every execution, and, because nobody else draws from it, in equivalent ones. */
#ifndef HEDDLE_TARGETS_RUNTIME_LIBC_RANDOM_H
#define HEDDLE_TARGETS_RUNTIME_LIBC_RANDOM_H

#include <stdint.h>

uint64_t random_number(void);

#endif
