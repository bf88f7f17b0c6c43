/* What belongs to the program when an execution begins, for reset_check.c, which cannot see the
 * space's header because of unistd.h's `access`. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_RESET_PARTS_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_RESET_PARTS_H

#include <stddef.h>
#include <stdint.h>

void reset_parts_visit(void (*visit)(const char *name, uintptr_t low, size_t size));

#endif
