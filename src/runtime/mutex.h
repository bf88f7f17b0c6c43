/* What conditions need of mutexes. */
#ifndef HEDDLE_RUNTIME_MUTEX_H
#define HEDDLE_RUNTIME_MUTEX_H

#include "runtime/sync.h"

/* The thread takes a step on the mutex: was it free? Whatever the step does with it, a lock that
 * comes later could have come before. */
void mutex_arrive(runtime_thread *t, uint32_t index);
/* Ends the fiber with a misuse if the mutex was destroyed. */
void mutex_check_usable(runtime_thread *t, uint32_t index, uint32_t location);

void mutex_take(runtime_thread *t, uint32_t index);
void mutex_give(runtime_thread *t, uint32_t index);
bool mutex_owned(const runtime_thread *t, uint32_t index);

#endif
