/* What conditions need of mutexes. */
#ifndef HEDDLE_RUNTIME_MUTEX_H
#define HEDDLE_RUNTIME_MUTEX_H

#include "runtime/sync.h"

void mutex_take(runtime_thread *t, uint32_t index);
void mutex_give(runtime_thread *t, uint32_t index);
bool mutex_owned(const runtime_thread *t, uint32_t index);

#endif
