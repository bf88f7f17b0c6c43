/* The call that a heap block comes from: that of malloc, or that of a function of the program which
 * hands memory on, as xmalloc does. Such a function returns a void *, and the line in which it
 * allocates does not say what for, or only that the block has bytes. */
#ifndef HEDDLE_TARGETS_NATIVE_BLOCK_ORIGIN_H
#define HEDDLE_TARGETS_NATIVE_BLOCK_ORIGIN_H

#include "targets/native/symbolize.h"
#include "targets/runtime/memory/heap.h"

/* Its location. */
uint32_t block_origin(symbolizer *, const heap_header *block);

/* With block_type_forget. */
void block_origin_forget(void);

#endif
