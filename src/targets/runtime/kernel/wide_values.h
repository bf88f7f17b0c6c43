/* Values of atomic objects of sixteen bytes as numbers that the explorer can compare, the same in
 * all executions. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_WIDE_VALUES_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_WIDE_VALUES_H

#include "targets/runtime/kernel/runtime.h"

enum { WIDE_SIZE = sizeof(version_value) };

void wide_close(void);

/* The number of the value at the address. */
uint64_t wide_number(const void *place);

/* The value of an object of that size that has the number, which of a smaller one is the value. */
version_value wide_value(uint64_t number, uint32_t size);

#endif
