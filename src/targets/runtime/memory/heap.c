#include "targets/runtime/memory/heap.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "base/limit.h"
#include "base/memory.h"
#include "base/vector.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/state.h"
#include "targets/runtime/memory/heap_blocks.h"
#include "targets/runtime/memory/heap_layout.h"
#include "targets/runtime/memory/mapping_parts.h"
#include "targets/runtime/race/race.h"
#include "targets/runtime/sync/section.h"

enum {
    GROWTH = 1 << 18,
    HEAP_QUARANTINE_SIZE = 1 << 26,
    LARGE_SIZE = 1 << 17, /* blocks from here on hold zeroes that only the kernel has written */
    PAGE_SIZE = 4096,
    TAIL_PATTERN = 0xbe, /* after a block, up to the next header */
};

/* Constructors run before there is a thread: what they allocate comes first in main's heap. */
static struct {
    runtime_thread thread; /* stands for main */
    unsigned char *image;  /* of what was allocated when the program was loaded */
    unsigned char *extents;
    size_t size;
} loading;

/* Headers of wide blocks, by thread: the first heap.wide_count are those of this execution. */
static VECTOR(uintptr_t) wide_blocks[RUNTIME_MAX_THREADS];

unsigned char heap_fill_pattern = 0xbe;
heap_lately heap_wide_lately;

uintptr_t heap_first(uint32_t thread) {
    return space_heap(thread) + HEAP_ALIGNMENT;
}

/* ---- extents ---- */

/* The first wide block of the thread that ends above the address: its place in the list. */
static uint32_t find_wide(const runtime_thread *t, uintptr_t address) {
    const uintptr_t *items = wide_blocks[t->number].items;
    uint32_t low = 0, high = t->heap.wide_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (heap_end_of((const heap_header *)items[middle]) <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The part of [low, high) before the next wide block; *low is then after that block. */
static uintptr_t next_piece(const runtime_thread *t, uintptr_t *low, uintptr_t high) {
    uint32_t i = find_wide(t, *low);
    if (i == t->heap.wide_count) {
        *low = high;
        return high;
    }
    const heap_header *header = (const heap_header *)vector_at(&wide_blocks[t->number], i);
    *low = heap_end_of(header);
    return heap_start_of(header);
}

static void clear_extents(const runtime_thread *t, uintptr_t low, uintptr_t high) {
    while (low < high) {
        uintptr_t start = low, end = next_piece(t, &low, high);
        memset(heap_extents_of(start), 0, (end - start) >> 3);
    }
}

/* All bytes of a block are addressable, or none. */
static void set_extents(const heap_header *header, bool live) {
    runtime.stretch++;
    if (heap_is_wide(header)) {
        return;
    }
    uint8_t *extents = heap_extents_of(heap_start_of(header));
    size_t whole = header->size / GRANULE_SIZE, rest = header->size % GRANULE_SIZE;
    section_log((uintptr_t)extents, whole + 1);
    memset(extents, live ? GRANULE_SIZE : 0, whole);
    if (rest) {
        extents[whole] = (uint8_t)(live ? rest : 0);
    }
}

/* In the order of their addresses: they come from the end of the arena. */
static void add_wide(runtime_thread *t, const heap_header *header) {
    CHECK(heap_is_wide(header) && heap_end_of(header) == t->heap.next);
    vector_resize(&wide_blocks[t->number], t->heap.wide_count);
    vector_push(&wide_blocks[t->number], (uintptr_t)header);
    t->heap.wide_count++;
}

/* ---- life of an arena ---- */

void heap_open(void) {
    mapping_parts_open();
    const runtime_heap *heap = &loading.thread.heap;
    loading.size = heap->next ? heap->next - heap_first(RUNTIME_MAIN) : 0;
    loading.image = memory_resize(NULL, 0, loading.size);
    loading.extents = memory_resize(NULL, 0, loading.size / GRANULE_SIZE);
    if (loading.size) {
        memcpy(loading.image, (const void *)heap_first(RUNTIME_MAIN), loading.size);
        memcpy(loading.extents, heap_extents_of(heap_first(RUNTIME_MAIN)),
               loading.size / GRANULE_SIZE);
    }
}

bool heap_loaded(void) {
    return loading.size != 0;
}

void heap_close(void) {
    memory_resize(loading.image, loading.size, 0);
    memory_resize(loading.extents, loading.size / GRANULE_SIZE, 0);
    memset(&loading, 0, sizeof loading);
    for (uint32_t i = 0; i < RUNTIME_MAX_THREADS; i++) {
        vector_free(&wide_blocks[i]);
    }
}

static void put_back_loaded(runtime_thread *t) {
    const runtime_heap *heap = &loading.thread.heap;
    CHECK(t->number == RUNTIME_MAIN && loading.size == heap->next - heap_first(RUNTIME_MAIN));
    memcpy((void *)heap_first(RUNTIME_MAIN), loading.image, loading.size);
    memcpy(heap_extents_of(heap_first(RUNTIME_MAIN)), loading.extents, loading.size / GRANULE_SIZE);
    uintptr_t limit = t->heap.limit, touched = t->heap.touched;
    t->heap = *heap;
    t->heap.limit = heap->limit > limit ? heap->limit : limit;
    t->heap.touched = touched;
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
    CHECK(madvise((void *)first, last - first, MADV_DONTNEED) == 0);
    memset((void *)last, 0, high - last);
}

void heap_end(runtime_thread *t) {
    runtime_heap *heap = &t->heap;
    if (heap->next) {
        clear_extents(t, heap_first(t->number), heap->next);
    }
    heap->touched = heap->next > heap->touched ? heap->next : heap->touched;
    if (heap->large) {
        make_zero(space_heap(t->number), heap->touched);
        heap->touched = 0;
    }
}

void heap_shrink(runtime_thread *t, uintptr_t next) {
    runtime_heap *heap = &t->heap;
    CHECK(!heap->next || next >= heap_first(t->number));
    if (next < heap->next) {
        clear_extents(t, next, heap->next);
        heap->touched = heap->next > heap->touched ? heap->next : heap->touched;
    }
}

void heap_pass(struct state_cursor *c, runtime_thread *t) {
    for (uint32_t i = 0; i < t->heap.wide_count; i++) {
        uintptr_t header =
            c->direction == CURSOR_RESTORES ? 0 : vector_at(&wide_blocks[t->number], i);
        STATE_PASS(c, header);
        if (c->direction == CURSOR_RESTORES) {
            vector_resize(&wide_blocks[t->number], i);
            vector_push(&wide_blocks[t->number], header);
        }
    }
    for (uintptr_t low = heap_first(t->number), high = t->heap.next; low < high;) {
        uintptr_t start = low, end = next_piece(t, &low, high);
        state_pass(c, heap_extents_of(start), (end - start) >> 3);
    }
}

/* ---- blocks ---- */

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
    CHECK(limit > t->heap.limit && limit >= end);
    memory_charge(2 * (limit - t->heap.limit)); /* the granules take as much */
    if (mprotect((void *)t->heap.limit, limit - t->heap.limit, PROT_READ | PROT_WRITE) != 0) {
        return false;
    }
    t->heap.limit = limit;
    return true;
}

static heap_header *fresh(runtime_thread *t, uint32_t class, size_t alignment) {
    uintptr_t block = t->heap.next + sizeof(heap_header);
    block = (block + alignment - 1) & ~(uintptr_t)(alignment - 1);
    if (block < t->heap.next || !reach(t, block + heap_class_size(class))) {
        return NULL;
    }
    uintptr_t header = block - sizeof(heap_header);
    CHECK(header >= t->heap.next && block % HEAP_ALIGNMENT == 0);
    section_log(t->heap.next, header - t->heap.next);
    memset((void *)t->heap.next, 0, header - t->heap.next); /* headers of earlier executions */
    t->heap.next = block + heap_class_size(class);
    return (heap_header *)header;
}

static heap_header *reuse(runtime_thread *t, uint32_t class) {
    if (class >= HEAP_CLASS_COUNT || !t->heap.free_blocks[class]) {
        return NULL;
    }
    heap_header *header = (heap_header *)t->heap.free_blocks[class];
    CHECK(!header->live && header->class == class && t->heap.freed);
    section_log((uintptr_t)header, sizeof *header);
    undo_write((uintptr_t)header, sizeof *header + heap_class_size(class));
    undo_write((uintptr_t)heap_extents_of(heap_start_of(header)),
               heap_class_size(class) / GRANULE_SIZE);
    t->heap.free_blocks[class] = header->next_free;
    return header;
}

/* Large blocks are never filled: they hold zeroes, as fresh pages do. */
static void fill_block(runtime_thread *t, const heap_header *header, bool reused, int fill) {
    uintptr_t block = heap_start_of(header);
    size_t size = heap_class_size(header->class);
    if (size < LARGE_SIZE) {
        memset((void *)block, fill, header->size);
        memset((void *)(block + header->size), TAIL_PATTERN, size - header->size);
        t->heap.filled += size;
        return;
    }
    uintptr_t dirty = reused ? block + size : t->heap.touched;
    if (dirty > block) {
        make_zero(block, dirty < block + size ? dirty : block + size);
    }
    t->heap.large = true;
}

/* Takes memory that was never handed out, until that would be too much. */
static heap_header *take(runtime_thread *t, uint32_t class, size_t alignment, bool *reused) {
    bool may_reuse = alignment <= HEAP_ALIGNMENT;
    bool full = t->heap.filled > HEAP_QUARANTINE_SIZE && heap_class_size(class) < LARGE_SIZE;
    heap_header *header = may_reuse && full ? reuse(t, class) : NULL;
    *reused = header != NULL;
    if (!header) {
        header = fresh(t, class, alignment);
    }
    if (!header && may_reuse) {
        header = reuse(t, class);
        *reused = header != NULL;
    }
    return header;
}

static void *allocate(runtime_thread *t, size_t size, size_t alignment, int fill,
                      uint32_t location) {
    uint32_t class = heap_class_of(size ? size : 1);
    CHECK(heap_class_size(class) >= size && (alignment & (alignment - 1)) == 0);
    bool reused;
    heap_header *header = take(t, class, alignment, &reused);
    if (!header) {
        return NULL;
    }
    bool large = heap_class_size(class) >= LARGE_SIZE;
    section_log((uintptr_t)header, sizeof *header + (large ? 0 : heap_class_size(class)));
    *header = (heap_header){.mark = heap_mark_of((uintptr_t)header),
                            .size = (uint32_t)size,
                            .class = (uint8_t) class,
                            .live = true,
                            .allocating_thread = (uint16_t)t->number,
                            .allocated = location};
    if (heap_is_wide(header) && !reused) {
        add_wide(t, header);
    }
    if (reused && runtime.current) {
        uintptr_t known = heap_is_wide(header) ? (uintptr_t)header : heap_start_of(header);
        race_allocate(t, known, heap_is_wide(header) ? 1 : heap_class_size(class), location);
    }
    fill_block(t, header, reused, fill);
    set_extents(header, true);
    t->heap.live_count++;
    return header + 1;
}

/* While the program is loaded there is a heap but no thread. */
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

/* Cuts the execution off. Before main's first step, where no other execution could do better, and
 * in sections, which are tried and undone, it is an error instead. */
static _Noreturn void refuse(runtime_thread *t, size_t size, uint32_t location) {
    if ((t->number == RUNTIME_MAIN && !t->events) || t->section_depth) {
        runtime_fail(t, ERROR_UNSUPPORTED, location,
                     "unsupported: an allocation of %zu bytes where a thread's heap has %zu", size,
                     space.heap_size);
    }
    limit_reached(LIMIT_HEAP);
    space.target->cut = true;
    runtime_leave(t, THREAD_STOPPED);
}

/* No process has so many addresses. Below that, the program must not see heddle's own limit as a
 * malloc that fails. */
#define ADDRESSES ((size_t)1 << 56)

void *heap_allocate_as(size_t size, size_t alignment, int fill, const void *here) {
    if (size >= ADDRESSES) {
        errno = ENOMEM;
        return NULL;
    }
    runtime_thread *t = owner();
    uint32_t location = location_of(here);
    void *block = size < space.heap_size ? allocate(t, size, alignment, fill, location) : NULL;
    if (!block && runtime.current) {
        refuse(runtime.current, size, location);
    }
    return block;
}

void *heap_allocate(size_t size, const void *here) {
    return heap_allocate_as(size, HEAP_ALIGNMENT, heap_fill_pattern, here);
}

/* A frame begins with the place of the one around it and the address to return to, as it does
 * without optimisation. */
void heap_note_callers(void *block, const uintptr_t *frame) {
    const runtime_thread *t = runtime.current;
    heap_header *header = t && block ? heap_block((uintptr_t)block) : NULL;
    CHECK(!header || header->live);
    for (uint32_t i = 0; header && i < HEAP_CALLERS; i++) {
        uintptr_t next = frame[0], low = (uintptr_t)frame;
        if (next <= low || next % sizeof next ||
            next - t->own_low >= t->own_size - 2 * sizeof next) {
            return;
        }
        frame = (const uintptr_t *)next;
        header->callers[i] = location_of((const void *)frame[1]);
        if (!header->callers[i]) {
            return;
        }
    }
}

void heap_release(heap_header *header, uint32_t location) {
    runtime_thread *t = runtime.current ? runtime.current : &loading.thread;
    CHECK(header->live && header->mark == heap_mark_of((uintptr_t)header));
    section_log((uintptr_t)header, sizeof *header);
    undo_write((uintptr_t)header, sizeof *header);
    if (!heap_is_wide(header)) {
        undo_write((uintptr_t)heap_extents_of(heap_start_of(header)),
                   header->size / GRANULE_SIZE + 1);
    }
    header->live = false;
    header->freeing_thread = (uint16_t)t->number;
    header->freed = location;
    set_extents(header, false);
    t->heap.live_count--;
    if (header->class < HEAP_CLASS_COUNT) {
        header->next_free = t->heap.free_blocks[header->class];
        t->heap.free_blocks[header->class] = (uintptr_t)header;
        t->heap.freed = true;
    }
}

/* ---- finding blocks ---- */

/* The thread whose arena an address of the heaps lies in. */
static const runtime_thread *arena_of(uintptr_t address) {
    uint32_t thread = (uint32_t)((address - space.heaps_low) / space.heap_size);
    DEBUG_CHECK(thread < RUNTIME_MAX_THREADS);
    return runtime.threads ? &runtime.threads[thread] : &loading.thread;
}

static uint32_t arena_number(uintptr_t address) {
    return (uint32_t)((address - space.heaps_low) / space.heap_size);
}

static heap_header *header_at(uintptr_t header, const runtime_thread *t, uintptr_t first) {
    heap_header *found = (heap_header *)header;
    bool inside = header >= first && header + sizeof *found < t->heap.next;
    return inside && found->mark == heap_mark_of(header) ? found : NULL;
}

heap_header *heap_block(uintptr_t address) {
    if (!heap_contains(address) || address % HEAP_ALIGNMENT != 0) {
        return NULL;
    }
    return header_at(address - sizeof(heap_header), arena_of(address),
                     heap_first(arena_number(address)));
}

const heap_header *heap_before(uintptr_t address) {
    const runtime_thread *t = arena_of(address);
    uintptr_t first = heap_first(arena_number(address));
    if (t->heap.next <= first || address < first) {
        return NULL;
    }
    const heap_header *wide = heap_wide_at(address);
    uintptr_t at = address < t->heap.next ? address : t->heap.next;
    at &= ~(uintptr_t)(HEAP_ALIGNMENT - 1);
    const heap_header *found = wide;
    for (; !found && at >= first + sizeof(heap_header); at -= HEAP_ALIGNMENT) {
        found = header_at(at - sizeof(heap_header), t, first);
    }
    return found;
}

const heap_header *heap_after(uintptr_t address) {
    uintptr_t at = (address + HEAP_ALIGNMENT) & ~(uintptr_t)(HEAP_ALIGNMENT - 1);
    const heap_header *found = NULL;
    for (uintptr_t last = at + sizeof *found; !found && at <= last; at += HEAP_ALIGNMENT) {
        found = heap_block(at);
    }
    return found;
}

static void know_wide(const heap_header *header, uintptr_t address) {
    uintptr_t low = heap_start_of(header), high = header->live ? low + header->size : low;
    if (header->mapped && header->live) {
        mapping_parts_around(address, &low, &high);
    }
    heap_wide_lately = (heap_lately){
        .stretch = runtime.stretch, .start = low, .size = high - low, .header = header};
}

const heap_header *heap_wide_at(uintptr_t address) {
    const runtime_thread *t = arena_of(address);
    if (!t->heap.wide_count) {
        return NULL;
    }
    uint32_t i = find_wide(t, address);
    if (i == t->heap.wide_count) {
        return NULL;
    }
    const heap_header *header = (const heap_header *)vector_at(&wide_blocks[t->number], i);
    if (address < heap_start_of(header)) {
        return NULL;
    }
    know_wide(header, address);
    return header;
}

bool heap_reached(uintptr_t address) {
    return heap_contains(address) && address < arena_of(address)->heap.limit;
}

const heap_header *heap_next(const runtime_thread *t, const heap_header *header) {
    uintptr_t first = heap_first(t->number), at = header ? heap_end_of(header) : first;
    const heap_header *found = NULL;
    for (; !found && at < t->heap.next; at += HEAP_ALIGNMENT) {
        found = header_at(at, t, first);
    }
    return found;
}
