/* The local variable at an address of a stack, by the functions that its thread is in. */
#ifndef HEDDLE_TARGETS_NATIVE_LOCALS_H
#define HEDDLE_TARGETS_NATIVE_LOCALS_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "targets/native/symbolize.h"
#include "targets/runtime/kernel/runtime.h"

typedef struct local_variable {
    uintptr_t address;
    uint64_t size;
    uint32_t depth; /* how many calls of its function are further out */
    Dwarf_Die die;
} local_variable;

/* Thread-local variables, which are on the stack as well, are locals of their thread.
 * False if it is none: memory between variables, or of a function that has returned. */
bool locals_find(symbolizer *, const runtime_thread *, uintptr_t address, local_variable *);

/* The locations of the calls of the program that the thread is in, innermost first. */
uint32_t locals_stack(symbolizer *, const runtime_thread *, uint32_t *locations, uint32_t most);

#endif
