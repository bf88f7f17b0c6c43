#include "runtime/heap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/access.h"
#include "runtime/section.h"
#include "runtime/symbols.h"

enum {
    ALIGNMENT = 16,
    SMALL_LIMIT = 1024, /* classes of 16 bytes up to here, then powers of two */
    GROWTH = 1 << 18,
    FRESH_PATTERN = 0xbe,
    ANNOUNCED_FREE_LIMIT = 4096,
};

#define HEADER_LIVE 0x6c6f6f6d68656431u
#define HEADER_FREE 0x6c6f6f6d68656430u

/* In front of every block. */
typedef struct block_header {
    uint64_t mark;
    uint32_t class;
    uint32_t padding;   /* from the start of the header's room to the header, for alignment */
    uint64_t size;      /* asked for */
    uint64_t next_free; /* header of the next block in the list */
} block_header;

uintptr_t heap_first(uint32_t thread) {
    return space_heap(thread) + ALIGNMENT;
}

void heap_start(runtime_thread *t) {
    t->heap.next = heap_first(t->number);
    if (!t->heap.limit) {
        t->heap.limit = space_heap(t->number);
    }
}

static uint32_t class_of(size_t size) {
    if (size <= SMALL_LIMIT) {
        return (uint32_t)((size + ALIGNMENT - 1) / ALIGNMENT);
    }
    return SMALL_LIMIT / ALIGNMENT + 64 - (uint32_t)__builtin_clzl((size - 1) / SMALL_LIMIT);
}

static size_t class_size(uint32_t class) {
    return class <= SMALL_LIMIT / ALIGNMENT
               ? (size_t) class * ALIGNMENT
               : (size_t)SMALL_LIMIT << (class - SMALL_LIMIT / ALIGNMENT);
}

/* Makes memory up to `end` accessible; false if the arena is full. */
static bool reach(runtime_thread *t, uintptr_t end) {
    if (likely(end <= t->heap.limit)) {
        return true;
    }
    uintptr_t last = space_heap(t->number) + space.heap_size;
    if (end > last) {
        return false;
    }
    uintptr_t limit = (end + GROWTH - 1) & ~(uintptr_t)(GROWTH - 1);
    limit = limit > last ? last : limit;
    if (mprotect((void *)t->heap.limit, limit - t->heap.limit, PROT_READ | PROT_WRITE) != 0) {
        return false;
    }
    t->heap.limit = limit;
    return true;
}

static block_header *header_of(void *block) {
    return (block_header *)block - 1;
}

static block_header *reuse(runtime_thread *t, uint32_t class) {
    if (class >= HEAP_CLASS_COUNT || !t->heap.free_blocks[class]) {
        return NULL;
    }
    block_header *header = (block_header *)t->heap.free_blocks[class];
    section_log((uintptr_t)header, sizeof *header);
    t->heap.free_blocks[class] = header->next_free;
    race_forget((uintptr_t)(header + 1), class_size(class));
    return header;
}

static void *allocate(runtime_thread *t, size_t size, size_t alignment, int fill) {
    if (size > space.heap_size) {
        return NULL;
    }
    uint32_t class = class_of(size ? size : 1);
    block_header *header = alignment <= ALIGNMENT ? reuse(t, class) : NULL;
    if (!header) {
        uintptr_t block = t->heap.next + sizeof(block_header);
        block = (block + alignment - 1) & ~(uintptr_t)(alignment - 1);
        if (!reach(t, block + class_size(class))) {
            return NULL;
        }
        t->heap.next = block + class_size(class);
        header = header_of((void *)block);
    }
    section_log((uintptr_t)header, sizeof *header + class_size(class));
    *header = (block_header){.mark = HEADER_LIVE, .class = class, .size = size};
    memset(header + 1, fill, class_size(class));
    return header + 1;
}

static void *allocate_or_fail(size_t size, size_t alignment, int fill) {
    runtime_thread *t = runtime.current;
    if (!t) { /* a constructor: what it allocates lives as long as the program is loaded */
        void *block = aligned_alloc(alignment, (size + alignment - 1) & ~(alignment - 1));
        return block ? memset(block, fill, size) : NULL;
    }
    void *block = allocate(t, size, alignment, fill);
    if (!block) {
        *runtime.error_number = ENOMEM;
    }
    return block;
}

void *heddle_malloc(size_t size) {
    return allocate_or_fail(size, ALIGNMENT, FRESH_PATTERN);
}

void *heddle_calloc(size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        *runtime.error_number = ENOMEM;
        return NULL;
    }
    return allocate_or_fail(bytes, ALIGNMENT, 0);
}

void *heddle_aligned_alloc(size_t alignment, size_t size) {
    return allocate_or_fail(size, alignment < ALIGNMENT ? ALIGNMENT : alignment, FRESH_PATTERN);
}

void *heddle_memalign(size_t alignment, size_t size) {
    return heddle_aligned_alloc(alignment, size);
}

int heddle_posix_memalign(void **result, size_t alignment, size_t size) {
    void *block = heddle_aligned_alloc(alignment, size);
    if (!block) {
        return ENOMEM;
    }
    access_plain(result, sizeof *result, ACCESS_WRITE, __builtin_return_address(0));
    *result = block;
    return 0;
}

/* A block that may be freed, or the end of the fiber. */
static block_header *check_block(runtime_thread *t, void *block, uint32_t location,
                                 const char *what) {
    uintptr_t address = (uintptr_t)block;
    block_header *header = header_of(block);
    bool inside =
        address - space.heaps_low < space.region_size - space.stacks_size &&
        address % ALIGNMENT == 0 &&
        (address - space.heaps_low) % space.heap_size >= sizeof *header + ALIGNMENT &&
        address < runtime.threads[(address - space.heaps_low) / space.heap_size].heap.limit;
    if (!inside || (header->mark != HEADER_LIVE && header->mark != HEADER_FREE)) {
        runtime_fail(t, ERROR_INVALID_FREE, location,
                     "%s of %p, which is not the start of a heap block", what, block);
    }
    if (header->mark == HEADER_FREE) {
        runtime_fail(t, ERROR_DOUBLE_FREE, location, "%s of a block that was freed before", what);
    }
    return header;
}

/* Freeing is a write to the whole block: whoever uses it without order is in a race with it. */
static void release(runtime_thread *t, void *block, const void *return_address, const char *what) {
    block_header *header = check_block(t, block, location_of(return_address), what);
    size_t size = header->size < ANNOUNCED_FREE_LIMIT ? header->size : ANNOUNCED_FREE_LIMIT;
    if (size) {
        access_announce(t, (uintptr_t)block, size, ACCESS_WRITE, return_address);
    }
    header = check_block(t, block, location_of(return_address), what);
    section_log((uintptr_t)header, sizeof *header);
    header->mark = HEADER_FREE;
    if (header->class < HEAP_CLASS_COUNT) {
        header->next_free = t->heap.free_blocks[header->class];
        t->heap.free_blocks[header->class] = (uintptr_t)header;
        t->heap.freed = true;
    }
}

void heddle_free(void *block) {
    runtime_thread *t = runtime.current;
    if (block && t) {
        release(t, block, __builtin_return_address(0), "free");
    }
}

void *heddle_realloc(void *block, size_t size) {
    runtime_thread *t = runtime.current;
    if (!block || !t) {
        return heddle_malloc(size);
    }
    const void *return_address = __builtin_return_address(0);
    block_header *header = check_block(t, block, location_of(return_address), "realloc");
    size_t kept = header->size < size ? header->size : size;
    void *moved = allocate_or_fail(size, ALIGNMENT, FRESH_PATTERN);
    if (!moved) {
        return NULL;
    }
    access_two(block, kept, ACCESS_READ, moved, kept, ACCESS_WRITE, return_address);
    memcpy(moved, block, kept);
    release(t, block, return_address, "realloc");
    return moved;
}

void *heddle_reallocarray(void *block, size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        *runtime.error_number = ENOMEM;
        return NULL;
    }
    return heddle_realloc(block, bytes);
}

size_t heddle_malloc_usable_size(void *block) {
    return block && runtime.current ? header_of(block)->size : 0;
}

bool heap_block(uintptr_t address, uint32_t *thread, uintptr_t *start, size_t *size) {
    if (address - space.heaps_low >= space.region_size - space.stacks_size) {
        return false;
    }
    *thread = (uint32_t)((address - space.heaps_low) / space.heap_size);
    uintptr_t low = space_heap(*thread) + ALIGNMENT;
    for (uintptr_t at = address & ~(uintptr_t)(ALIGNMENT - 1); at >= low + sizeof(block_header);
         at -= ALIGNMENT) {
        const block_header *header = header_of((void *)at);
        if ((header->mark == HEADER_LIVE || header->mark == HEADER_FREE) &&
            class_size(header->class) > address - at) {
            *start = at;
            *size = header->size;
            return true;
        }
    }
    return false;
}
