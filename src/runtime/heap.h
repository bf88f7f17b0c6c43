/* The program's heap: one arena per thread, at a fixed place.
 *
 * The address of a block depends on what its own thread allocated and freed before and on nothing
 * else, so equivalent executions see equal addresses. A freed block goes to the thread that freed
 * it and is the first to be handed out again for its size, as with glibc's per-thread caches:
 * that is what makes ABA bugs show. Fresh memory holds a pattern, the same each time; large blocks
 * hold zeroes, and cost only what is touched of them. */
#ifndef HEDDLE_RUNTIME_HEAP_H
#define HEDDLE_RUNTIME_HEAP_H

#include "runtime/runtime.h"

/* When the program is loaded: what its constructors have allocated is there in every execution. */
void heap_open(void);
void heap_close(void);

void heap_start(runtime_thread *t);

/* What the thread has allocated is worth nothing any more. */
void heap_end(runtime_thread *t);

/* Where the first block's header goes. */
uintptr_t heap_first(uint32_t thread);

/* The block that `address` lies in: its first byte and its size; false if it is no heap block. */
bool heap_block(uintptr_t address, uint32_t *thread, uintptr_t *start, size_t *size);

#endif
