/* Names of functions that are not the program's. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_CALLER_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_CALLER_H

#include <stddef.h>
#include <stdint.h>

/* The function of a library that has this address, or "a call" if it has no name. */
void caller_name(uintptr_t address, char *name, size_t size);

#endif
