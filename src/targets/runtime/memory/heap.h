/* The program's heap: an arena for each thread at a fixed place, handed out from its start on, so
 * that equivalent executions see equal addresses.
 *
 * A header stands in front of every block; it says who allocated and freed the block, and separates
 * it from its neighbour. A freed block is not handed out again while there is room
 * (HEAP_QUARANTINE_SIZE), so that later uses of it are found. Extents (space.h) say which bytes
 * belong to live blocks.
 *
 * Wide blocks, above HEAP_WIDE_SIZE, and mappings cost nothing per granule: they have no extents
 * but are in a list, which is sorted by address, and freeing one writes to the object of its header
 * alone, which therefore every access to the block reads.
 *
 * Fresh memory holds a pattern, the same each time; large blocks hold zeroes, and cost only what is
 * touched of them. */
#ifndef HEDDLE_TARGETS_RUNTIME_MEMORY_HEAP_H
#define HEDDLE_TARGETS_RUNTIME_MEMORY_HEAP_H

#include "targets/runtime/kernel/runtime.h"
#include "targets/runtime/memory/space.h"

enum { HEAP_ALIGNMENT = 16, HEAP_WIDE_SIZE = 4096, HEAP_WIDE_CLASS = 67 };

/* For the race detector, every access to a wide block reads the first byte of its header, and a
 * plain one the second as well; freeing the block writes both, and under weak memory models its
 * allocation the second, atomically. */
enum { HEAP_LIFE_BYTE = 1, HEAP_LIFE_BYTES = 2 };

enum { HEAP_CALLERS = 4 };

/* In front of every block. */
typedef struct heap_header {
    uint32_t mark; /* depends on the address, so that a copy is not taken for a header */
    uint32_t size; /* asked for */
    uint8_t class;
    uint8_t live; /* leaks.c marks with it what it has reached */
    uint16_t allocating_thread, freeing_thread;
    bool mapped;               /* by mmap */
    uint32_t allocated, freed; /* locations */
    uint64_t next_free;        /* header of the next block in the list */
    /* The calls that led to `allocated`, the latest first, as far as frames are linked; or 0. */
    uint32_t callers[HEAP_CALLERS];
} heap_header;

_Static_assert(sizeof(heap_header) % HEAP_ALIGNMENT == 0, "what follows a header is aligned");
_Static_assert(RUNTIME_MAX_THREADS <= UINT16_MAX, "a header names the threads");

static inline uintptr_t heap_start_of(const heap_header *header) {
    return (uintptr_t)(header + 1);
}

static inline bool heap_is_wide(const heap_header *header) {
    return header->class >= HEAP_WIDE_CLASS;
}

/* When the program is loaded: what its constructors have allocated is there in every execution. */
void heap_open(void);
void heap_close(void);

/* They have allocated something. */
bool heap_loaded(void);

void heap_start(runtime_thread *t);

/* What the thread has allocated is no longer valid. */
void heap_end(runtime_thread *t);

/* Forgets what the thread has allocated from `next` on. */
void heap_shrink(runtime_thread *t, uintptr_t next);

/* Checks that the thread's blocks follow each other, that each begins with a header, and that their
 * extents are right; for debug builds. */
void heap_check(const runtime_thread *t);

/* Where the first block's header goes. */
uintptr_t heap_first(uint32_t thread);

/* For models of functions that return memory. NULL with errno if there can be none. */
void *heap_allocate(size_t size, const void *return_address);

/* As realloc does, for a function of libc that is called from there. */
void *heap_resize(void *block, size_t size, const void *return_address);

/* The same for those that free it, or nothing for NULL; a step. */
void heap_free(void *block, const void *return_address);

/* The block whose first byte this is, live or not; or NULL. */
heap_header *heap_block(uintptr_t address);

/* The block with the nearest start at or below the address, in its arena; or NULL. And the one with
 * the nearest start above it, if that is less than a header away. */
const heap_header *heap_before(uintptr_t address);
const heap_header *heap_after(uintptr_t address);

/* The wide block that the address lies in, live or not; or NULL. */
const heap_header *heap_wide_at(uintptr_t address);

/* An address of some thread's arena that has been made accessible. */
bool heap_reached(uintptr_t address);

/* The next block of the thread after `header`, or its first one for NULL; NULL: no more. */
const heap_header *heap_next(const runtime_thread *t, const heap_header *header);

static inline bool heap_contains(uintptr_t address) {
    return address - space.heaps_low < space.region_size - space.stacks_size;
}

/* The wide block that was looked up last, if it was live; valid while runtime.stretch is the same.
 * Of a mapping: the ordinary bytes around those that were looked up. */
typedef struct heap_lately {
    uint64_t stretch;
    uintptr_t start, size;
    const heap_header *header;
} heap_lately;

extern heap_lately heap_wide_lately;

/* These bytes lie in it, and it is still live. */
static inline bool heap_wide_holds(uintptr_t address, size_t size) {
    uintptr_t offset = address - heap_wide_lately.start;
    return heap_wide_lately.stretch == runtime.stretch && offset < heap_wide_lately.size &&
           size <= heap_wide_lately.size - offset;
}

static inline uintptr_t heap_wide_end(void) {
    return heap_wide_lately.start + heap_wide_lately.size;
}

static inline const heap_header *heap_wide(uintptr_t address) {
    return heap_contains(address) ? heap_wide_at(address) : NULL;
}

/* Part of the state that need not be equal; see state.h. */
struct state_cursor;
void heap_pass(struct state_cursor *c, runtime_thread *t);

#endif
