/* Handlers of pthread_cleanup_push. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_CLEANUP_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_CLEANUP_H

#include "targets/runtime/kernel/runtime.h"

/* The thread ends by pthread_exit: runs the latest handler, which comes back here when it is done.
 * Returns if there is none. */
void cleanup_run(runtime_thread *t);

#endif
