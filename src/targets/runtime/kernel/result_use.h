/* Whether the program looks at what a function returned, by the instructions after its call. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_RESULT_USE_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_RESULT_USE_H

#include <stdbool.h>

/* False only if it is certain that nobody does: the register is overwritten, or another function is
 * called, before anything could read it. */
bool result_is_used(const void *return_address);

#endif
