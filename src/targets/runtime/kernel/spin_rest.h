/* Everything but one thread's own stack and registers, before and after something that it does. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_SPIN_REST_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_SPIN_REST_H

#include "targets/runtime/kernel/runtime.h"

void spin_rest_close(void);
void spin_rest_keep(const runtime_thread *);

/* Everything is as it was when it was saved; without `times`, the thread's time and the times at
 * which it has released something are ignored. */
bool spin_rest_is_same(const runtime_thread *, bool times);

#endif
