/* Thread-specific values. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_KEYS_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_KEYS_H

#include "targets/runtime/kernel/runtime.h"

void keys_close(void);

/* The thread ends: calls the destructors of the values that it has. */
void keys_destroy(runtime_thread *t);

#endif
