/* The layout of blocks in an arena: a header, the requested bytes, and the rest of their size
 * class. */
#ifndef HEDDLE_TARGETS_RUNTIME_MEMORY_HEAP_LAYOUT_H
#define HEDDLE_TARGETS_RUNTIME_MEMORY_HEAP_LAYOUT_H

#include "targets/runtime/memory/heap.h"

#define HEAP_HEADER_MARK 0x6c6f6f6du

enum { HEAP_SMALL_LIMIT = 1024 }; /* classes of 16 bytes up to here, then powers of two */
_Static_assert(HEAP_SMALL_LIMIT / HEAP_ALIGNMENT < HEAP_CLASS_COUNT,
               "small classes have free lists");

_Static_assert(HEAP_SMALL_LIMIT << (HEAP_WIDE_CLASS - 1 - HEAP_SMALL_LIMIT / HEAP_ALIGNMENT) ==
                   HEAP_WIDE_SIZE,
               "the largest class that is not wide");

static inline uint32_t heap_mark_of(uintptr_t header) {
    return HEAP_HEADER_MARK ^ (uint32_t)(header >> 4);
}

static inline uint8_t *heap_extents_of(uintptr_t address) {
    return &space.region_extents[(address - space.region_low) >> 3];
}

static inline uint32_t heap_class_of(size_t size) {
    if (size <= HEAP_SMALL_LIMIT) {
        return (uint32_t)((size + HEAP_ALIGNMENT - 1) / HEAP_ALIGNMENT);
    }
    return HEAP_SMALL_LIMIT / HEAP_ALIGNMENT + 64 -
           (uint32_t)__builtin_clzl((size - 1) / HEAP_SMALL_LIMIT);
}

static inline size_t heap_class_size(uint32_t class) {
    return class <= HEAP_SMALL_LIMIT / HEAP_ALIGNMENT
               ? (size_t) class * HEAP_ALIGNMENT
               : (size_t)HEAP_SMALL_LIMIT << (class - HEAP_SMALL_LIMIT / HEAP_ALIGNMENT);
}

static inline uintptr_t heap_end_of(const heap_header *header) {
    return heap_start_of(header) + heap_class_size(header->class);
}

#endif
