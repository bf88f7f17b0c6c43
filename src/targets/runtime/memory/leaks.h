/* Blocks that are lost when the program ends: live, but not to be reached from globals,
 * thread-local variables, the stacks of threads that still wait, or blocks that can be reached.
 *
 * Like the mark phase of a conservative garbage collector: everything that looks like an address
 * inside a block keeps it. Costs nothing when every block was freed. */
#ifndef HEDDLE_TARGETS_RUNTIME_MEMORY_LEAKS_H
#define HEDDLE_TARGETS_RUNTIME_MEMORY_LEAKS_H

#include "targets/runtime/memory/heap.h"

/* At the end of an execution without errors: how many places lost blocks that they allocated. */
uint32_t leaks_find(void);

/* The first block of such a place. */
const heap_header *leaks_block(uint32_t index);

void leaks_close(void);

#endif
