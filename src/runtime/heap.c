#include "runtime/heap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/memory.h"
#include "runtime/access.h"
#include "runtime/section.h"
#include "runtime/symbols.h"

#define HERE __builtin_return_address(0)

enum {
    ALIGNMENT = 16,
    SMALL_LIMIT = 1024, /* classes of 16 bytes up to here, then powers of two */
    GROWTH = 1 << 18,
    FRESH_PATTERN = 0xbe,
    ANNOUNCED_FREE_LIMIT = 4096,
    LARGE_SIZE = 1 << 17, /* blocks from here on hold zeroes that only the kernel has written */
    PAGE_SIZE = 4096,
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

/* Constructors run before there is a thread: what they allocate comes first in main's heap. */
static struct {
    runtime_thread thread; /* stands for main */
    unsigned char *image;  /* of what was allocated when the program was loaded */
    size_t size;
} loading;

uintptr_t heap_first(uint32_t thread) {
    return space_heap(thread) + ALIGNMENT;
}

void heap_open(void) {
    const runtime_heap *heap = &loading.thread.heap;
    loading.size = heap->next ? heap->next - heap_first(RUNTIME_MAIN) : 0;
    loading.image = memory_resize(NULL, 0, loading.size);
    if (loading.size) {
        memcpy(loading.image, (const void *)heap_first(RUNTIME_MAIN), loading.size);
    }
}

void heap_close(void) {
    memory_resize(loading.image, loading.size, 0);
    memset(&loading, 0, sizeof loading);
}

static void put_back_loaded(runtime_thread *t) {
    const runtime_heap *heap = &loading.thread.heap;
    memcpy((void *)heap_first(RUNTIME_MAIN), loading.image, loading.size);
    t->heap.next = heap->next;
    t->heap.limit = heap->limit > t->heap.limit ? heap->limit : t->heap.limit;
    t->heap.freed = heap->freed;
    memcpy(t->heap.free_blocks, heap->free_blocks, sizeof t->heap.free_blocks);
}

void heap_start(runtime_thread *t) {
    t->heap.next = heap_first(t->number);
    if (!t->heap.limit) {
        t->heap.limit = space_heap(t->number);
    }
    if (t->number == RUNTIME_MAIN && loading.size) {
        put_back_loaded(t);
    }
}

/* Zeroes, at the cost of what was touched. */
static void make_zero(uintptr_t low, uintptr_t high) {
    uintptr_t first = (low + PAGE_SIZE - 1) & ~(uintptr_t)(PAGE_SIZE - 1);
    uintptr_t last = high & ~(uintptr_t)(PAGE_SIZE - 1);
    if (first >= last) {
        memset((void *)low, 0, high - low);
        return;
    }
    memset((void *)low, 0, first - low);
    madvise((void *)first, last - first, MADV_DONTNEED);
    memset((void *)last, 0, high - last);
}

void heap_end(runtime_thread *t) {
    runtime_heap *heap = &t->heap;
    heap->touched = heap->next > heap->touched ? heap->next : heap->touched;
    if (heap->large) {
        make_zero(space_heap(t->number), heap->touched);
        heap->touched = 0;
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

/* Large blocks are never filled: they hold zeroes, as fresh pages do. */
static void fill_block(runtime_thread *t, block_header *header, bool reused, int fill) {
    uintptr_t block = (uintptr_t)(header + 1);
    size_t size = class_size(header->class);
    if (size < LARGE_SIZE) {
        memset((void *)block, fill, size);
        return;
    }
    uintptr_t dirty = reused ? block + size : t->heap.touched;
    if (dirty > block) {
        make_zero(block, dirty < block + size ? dirty : block + size);
    }
    t->heap.large = true;
}

static void *allocate(runtime_thread *t, size_t size, size_t alignment, int fill) {
    uint32_t class = class_of(size ? size : 1);
    block_header *header = alignment <= ALIGNMENT ? reuse(t, class) : NULL;
    bool reused = header != NULL;
    if (!reused) {
        uintptr_t block = t->heap.next + sizeof(block_header);
        block = (block + alignment - 1) & ~(uintptr_t)(alignment - 1);
        if (block < t->heap.next || !reach(t, block + class_size(class))) {
            return NULL;
        }
        t->heap.next = block + class_size(class);
        header = header_of((void *)block);
    }
    bool large = class_size(class) >= LARGE_SIZE;
    section_log((uintptr_t)header, sizeof *header + (large ? 0 : class_size(class)));
    *header = (block_header){.mark = HEADER_LIVE, .class = class, .size = size};
    fill_block(t, header, reused, fill);
    return header + 1;
}

/* While the program is loaded there is no thread, but a heap. */
static runtime_thread *owner(void) {
    if (runtime.current) {
        return runtime.current;
    }
    if (!loading.thread.heap.next) {
        space_place();
        heap_start(&loading.thread);
    }
    return &loading.thread;
}

/* No machine has more than PTRDIFF_MAX; below that, heddle's own limit must not look like the
 * program's. */
static void *allocate_or_fail(size_t size, size_t alignment, int fill, const void *here) {
    if (size > PTRDIFF_MAX) {
        errno = ENOMEM;
        return NULL;
    }
    runtime_thread *t = owner();
    void *block = size < space.heap_size ? allocate(t, size, alignment, fill) : NULL;
    if (!block && runtime.current) {
        runtime_fail(runtime.current, ERROR_UNSUPPORTED, location_of(here),
                     "unsupported: an allocation of %zu bytes where a thread's heap has %zu", size,
                     space.heap_size);
    }
    return block;
}

void *heddle_malloc(size_t size) {
    return allocate_or_fail(size, ALIGNMENT, FRESH_PATTERN, HERE);
}

static bool too_many(size_t count, size_t size, size_t *bytes) {
    bool overflow = __builtin_mul_overflow(count, size, bytes);
    if (overflow) {
        errno = ENOMEM;
    }
    return overflow;
}

void *heddle_calloc(size_t count, size_t size) {
    size_t bytes;
    return too_many(count, size, &bytes) ? NULL : allocate_or_fail(bytes, ALIGNMENT, 0, HERE);
}

static void *allocate_aligned(size_t alignment, size_t size, const void *here) {
    if (alignment & (alignment - 1)) {
        errno = EINVAL;
        return NULL;
    }
    return allocate_or_fail(size, alignment < ALIGNMENT ? ALIGNMENT : alignment, FRESH_PATTERN,
                            here);
}

void *heddle_aligned_alloc(size_t alignment, size_t size) {
    return allocate_aligned(alignment, size, HERE);
}

void *heddle_memalign(size_t alignment, size_t size) {
    return allocate_aligned(alignment, size, HERE);
}

int heddle_posix_memalign(void **result, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || alignment & (alignment - 1) || !alignment) {
        return EINVAL;
    }
    void *block = allocate_aligned(alignment, size, HERE);
    if (!block) {
        return ENOMEM;
    }
    access_plain(result, sizeof *result, ACCESS_WRITE, HERE);
    *result = block;
    return 0;
}

/* The header of what could be a block: something that heddle's heap has handed out. */
static block_header *find_header(const void *block) {
    uintptr_t address = (uintptr_t)block, offset = address - space.heaps_low;
    block_header *header = (block_header *)address - 1;
    if (offset >= space.region_size - space.stacks_size || address % ALIGNMENT != 0 ||
        offset % space.heap_size < sizeof *header + ALIGNMENT) {
        return NULL;
    }
    uint32_t thread = (uint32_t)(offset / space.heap_size);
    const runtime_thread *t = runtime.threads ? &runtime.threads[thread] : &loading.thread;
    bool known =
        address < t->heap.limit && (header->mark == HEADER_LIVE || header->mark == HEADER_FREE);
    return known ? header : NULL;
}

/* Memory that neither the program nor heddle has made, but that is there: a library's. */
static bool is_foreign(uintptr_t address) {
    unsigned char resident;
    bool known = space_contains(address) || space_constant(address);
    return !known && mincore((void *)(address & ~(uintptr_t)(PAGE_SIZE - 1)), 1, &resident) == 0;
}

/* A block that may be freed, or the end of the fiber. */
static block_header *check_block(runtime_thread *t, void *block, uint32_t location,
                                 const char *what) {
    block_header *header = find_header(block);
    if (!header && is_foreign((uintptr_t)block)) {
        runtime_fail(t, ERROR_UNSUPPORTED, location,
                     "unsupported: %s of memory that a library has allocated", what);
    }
    if (!header) {
        runtime_fail(t, ERROR_INVALID_FREE, location,
                     "%s of %p, which is not the start of a heap block", what, block);
    }
    if (header->mark == HEADER_FREE) {
        runtime_fail(t, ERROR_DOUBLE_FREE, location, "%s of a block that was freed before", what);
    }
    return header;
}

static void push_free(runtime_thread *t, block_header *header) {
    section_log((uintptr_t)header, sizeof *header);
    header->mark = HEADER_FREE;
    if (header->class < HEAP_CLASS_COUNT) {
        header->next_free = t->heap.free_blocks[header->class];
        t->heap.free_blocks[header->class] = (uintptr_t)header;
        t->heap.freed = true;
    }
}

/* Freeing is a write to the whole block: whoever uses it without order is in a race with it. */
static void release(runtime_thread *t, void *block, const void *return_address, const char *what) {
    block_header *header = check_block(t, block, location_of(return_address), what);
    size_t size = header->size < ANNOUNCED_FREE_LIMIT ? header->size : ANNOUNCED_FREE_LIMIT;
    if (size) {
        access_announce(t, (uintptr_t)block, size, ACCESS_WRITE, return_address);
    }
    push_free(t, check_block(t, block, location_of(return_address), what));
}

/* A constructor or destructor frees or changes the size of a block. */
static void release_loading(void *block) {
    block_header *header = find_header(block);
    if (header && header->mark == HEADER_LIVE) {
        push_free(&loading.thread, header);
    }
}

static void *resize_loading(void *block, size_t size, const void *here) {
    const block_header *header = find_header(block);
    void *moved = header ? allocate_or_fail(size, ALIGNMENT, FRESH_PATTERN, here) : NULL;
    if (moved) {
        memcpy(moved, block, header->size < size ? header->size : size);
        release_loading(block);
    }
    return moved;
}

void heddle_free(void *block) {
    runtime_thread *t = runtime.current;
    if (block && t) {
        release(t, block, HERE, "free");
    } else if (block) {
        release_loading(block);
    }
}

static void *resize(void *block, size_t size, const void *here) {
    runtime_thread *t = runtime.current;
    if (!block) {
        return allocate_or_fail(size, ALIGNMENT, FRESH_PATTERN, here);
    }
    if (!t) {
        return resize_loading(block, size, here);
    }
    const block_header *header = check_block(t, block, location_of(here), "realloc");
    size_t kept = header->size < size ? header->size : size;
    void *moved = allocate_or_fail(size, ALIGNMENT, FRESH_PATTERN, here);
    if (!moved) {
        return NULL;
    }
    access_two(block, kept, ACCESS_READ, moved, kept, ACCESS_WRITE, here);
    memcpy(moved, block, kept);
    release(t, block, here, "realloc");
    return moved;
}

void *heddle_realloc(void *block, size_t size) {
    return resize(block, size, HERE);
}

void *heddle_reallocarray(void *block, size_t count, size_t size) {
    size_t bytes;
    return too_many(count, size, &bytes) ? NULL : resize(block, bytes, HERE);
}

size_t heddle_malloc_usable_size(void *block) {
    const block_header *header = block ? find_header(block) : NULL;
    return header ? header->size : 0;
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
