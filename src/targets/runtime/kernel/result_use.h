/* Whether the program uses the result of a function, from the instructions after the call. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_RESULT_USE_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_RESULT_USE_H

#include <stdbool.h>

/* False only if it is certainly unused: the register is overwritten, or another function is called,
 * before anything could read it. */
bool result_is_used(const void *return_address);

#endif
