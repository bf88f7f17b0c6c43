/* Threads: creation, end, join, identity.
 *
 * A thread's number depends on its creator and on how many threads that one had created before,
 * and on nothing else: the order in which different threads create threads does not matter. */
#ifndef HEDDLE_RUNTIME_THREADS_H
#define HEDDLE_RUNTIME_THREADS_H

#include "runtime/runtime.h"

void threads_open(void);
void threads_close(void);

/* Forgets all threads and makes main ready to start. */
void threads_reset(void);

#endif
