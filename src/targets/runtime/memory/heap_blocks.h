/* How the functions of malloc's family change the heap (other code uses heap.h). */
#ifndef HEDDLE_TARGETS_RUNTIME_MEMORY_HEAP_BLOCKS_H
#define HEDDLE_TARGETS_RUNTIME_MEMORY_HEAP_BLOCKS_H

#include "targets/runtime/memory/heap.h"

/* What uninitialised memory holds. */
extern unsigned char heap_fill_pattern;

void *heap_allocate_as(size_t size, size_t alignment, int fill, const void *return_address);

/* The frame of the function of malloc's family that was called: who called its caller, for reports
 * of programs that allocate by functions of their own. In the same step as the allocation. */
void heap_note_callers(void *block, const uintptr_t *frame);

/* The block is no longer live. */
void heap_release(heap_header *header, uint32_t location);

#endif
