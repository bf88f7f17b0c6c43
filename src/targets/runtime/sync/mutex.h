/* What conditions need of mutexes. */
#ifndef HEDDLE_TARGETS_RUNTIME_SYNC_MUTEX_H
#define HEDDLE_TARGETS_RUNTIME_SYNC_MUTEX_H

#include "targets/runtime/sync/sync.h"

extern const sync_class mutex_class;

/* The step by which the thread locks it was taken: checks that it can be used, and holds it. */
void mutex_take(runtime_thread *t, uint32_t index, uint32_t location);

#endif
