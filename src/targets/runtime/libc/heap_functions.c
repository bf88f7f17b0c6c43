#define _GNU_SOURCE
/* malloc, free and their relatives.
 *
 * Freeing is a write to the whole block: whoever uses it without order is in a race with it, and
 * whoever may use it before or after has both orders explored. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "targets/runtime/kernel/access.h"
#include "targets/runtime/kernel/process.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/memory/heap_blocks.h"
#include "targets/runtime/memory/validity.h"

#define HERE __builtin_return_address(0)
#define CALL ((call){HERE, __builtin_frame_address(0)})

/* Of a function of this file, by the program. */
typedef struct call {
    const void *here;
    const uintptr_t *frame; /* or NULL, within another function of libc */
} call;

enum { PAGE_SIZE = 4096 };

/* With --malloc-fails: a choice, until the thread has seen one fail. */
static bool is_refused(const void *here) {
    runtime_thread *t = runtime.current;
    if (likely(!runtime.settings.malloc_fails) || !t || t->was_refused ||
        !process_choose(2, location_of(here))) {
        return false;
    }
    t->was_refused = true;
    errno = ENOMEM;
    return true;
}

/* A thread that got the address of a block by a relaxed access need not come after its allocation:
 * its plain accesses then race with that. Without weak memory models all come after it. */
static void *begin_life(void *block, size_t size, const void *here) {
    runtime_thread *t = runtime.current;
    if (likely(!runtime.versions) || !block || !size || !t || t->section_depth) {
        return block;
    }
    const heap_header *header = heap_block((uintptr_t)block);
    CHECK(header && header->live);
    footprint f = heap_is_wide(header)
                      ? space_footprint((uintptr_t)header + HEAP_LIFE_BYTE, 1, ACCESS_WRITE)
                      : space_footprint((uintptr_t)block, size, ACCESS_WRITE);
    race_atomic(t, f, ACCESS_WRITE, __ATOMIC_RELAXED, location_of(here));
    return block;
}

static void *allocate_as(size_t size, size_t alignment, int fill, call by) {
    void *block = heap_allocate_as(size, alignment, fill, by.here);
    if (by.frame) {
        heap_note_callers(block, by.frame);
    }
    return begin_life(block, size, by.here);
}

static void *allocate(size_t size, call by) {
    return is_refused(by.here) ? NULL : allocate_as(size, HEAP_ALIGNMENT, heap_fill_pattern, by);
}

void *heddle_malloc(size_t size) {
    return allocate(size, CALL);
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
    return too_many(count, size, &bytes) || is_refused(HERE)
               ? NULL
               : allocate_as(bytes, HEAP_ALIGNMENT, 0, CALL);
}

static void *allocate_aligned(size_t alignment, size_t size, call by) {
    if (alignment & (alignment - 1)) {
        errno = EINVAL;
        return NULL;
    }
    size_t least = alignment < HEAP_ALIGNMENT ? HEAP_ALIGNMENT : alignment;
    return allocate_as(size, least, heap_fill_pattern, by);
}

void *heddle_aligned_alloc(size_t alignment, size_t size) {
    return allocate_aligned(alignment, size, CALL);
}

void *heddle_valloc(size_t size) {
    return allocate_aligned(PAGE_SIZE, size, CALL);
}

void *heddle_pvalloc(size_t size) {
    return allocate_aligned(PAGE_SIZE, (size + PAGE_SIZE - 1) / PAGE_SIZE * PAGE_SIZE, CALL);
}

int heddle_posix_memalign(void **result, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || alignment & (alignment - 1) || !alignment) {
        return EINVAL;
    }
    void *block = allocate_aligned(alignment, size, CALL);
    if (!block) {
        return ENOMEM;
    }
    access_plain(result, sizeof *result, ACCESS_WRITE, HERE);
    *result = block;
    return 0;
}

/* Returns the header of a block that may be freed; otherwise ends the fiber with an error. */
static heap_header *check_block(runtime_thread *t, const void *block, uint32_t location,
                                const char *what) {
    heap_header *header = heap_block((uintptr_t)block);
    if (!header || !header->live) {
        validity_fail_free(t, (uintptr_t)block, location, what);
    }
    return header;
}

static void release(runtime_thread *t, void *block, const void *here, const char *what) {
    uint32_t location = location_of(here);
    access_free(t, check_block(t, block, location, what), location_entry(here));
    heap_release(check_block(t, block, location, what), location);
}

/* A constructor or destructor frees or changes the size of a block. */
static void release_loading(void *block) {
    heap_header *header = heap_block((uintptr_t)block);
    if (header && header->live) {
        heap_release(header, LOCATION_NONE);
    }
}

static void *resize_loading(void *block, size_t size, const void *here) {
    const heap_header *header = heap_block((uintptr_t)block);
    void *moved = header ? heap_allocate(size, here) : NULL;
    if (moved) {
        memcpy(moved, block, header->size < size ? header->size : size);
        release_loading(block);
    }
    return moved;
}

void heap_free(void *block, const void *here) {
    runtime_thread *t = runtime.current;
    if (block && t) {
        release(t, block, here, "free");
    } else if (block) {
        release_loading(block);
    }
}

void heddle_free(void *block) {
    heap_free(block, HERE);
}

static void *resize(void *block, size_t size, call by) {
    runtime_thread *t = runtime.current;
    if (!block) {
        return allocate(size, by);
    }
    if (!t) {
        return resize_loading(block, size, by.here);
    }
    if (!size) { /* as glibc does */
        release(t, block, by.here, "realloc");
        return NULL;
    }
    const heap_header *header = check_block(t, block, location_of(by.here), "realloc");
    size_t kept = header->size < size ? header->size : size;
    void *moved = allocate(size, by);
    if (!moved) {
        return NULL;
    }
    access_two(block, kept, ACCESS_READ, moved, kept, ACCESS_WRITE, by.here);
    memcpy(moved, block, kept);
    release(t, block, by.here, "realloc");
    return moved;
}

void *heddle_realloc(void *block, size_t size) {
    return resize(block, size, CALL);
}

void *heap_resize(void *block, size_t size, const void *here) {
    return resize(block, size, (call){.here = here});
}

void *heddle_reallocarray(void *block, size_t count, size_t size) {
    size_t bytes;
    return too_many(count, size, &bytes) ? NULL : resize(block, bytes, CALL);
}

/* A step that what is written to the block does not race with, but that its end comes before or
 * after. */
static void look_at(runtime_thread *t, const heap_header *header, uintptr_t block,
                    uint32_t location) {
    CHECK(header == heap_block(block) && header->size);
    if (!t->section_depth && !runtime.versions) { /* graphs have no such step */
        space_touch(t, block, 1);
        space_ranges_begin();
        space_ranges_add(block, 1, ACCESS_READ);
        if (heap_wide(block)) {
            space_ranges_add((uintptr_t)header, HEAP_LIFE_BYTES, ACCESS_READ);
        }
        runtime_prepare(t, OPERATION_LOOK, space_object(block), space_ranges_end(), location);
        runtime_park(t);
    }
    validity_check(t, block, 1, ACCESS_READ, location);
}

size_t heddle_malloc_usable_size(void *block) {
    runtime_thread *t = runtime.current;
    const heap_header *header = heap_block((uintptr_t)block);
    if (t && block && (!header || !header->size)) {
        check_block(t, block, LOCATION_HERE(), "malloc_usable_size");
    } else if (t && block) {
        look_at(t, header, (uintptr_t)block, LOCATION_HERE());
    }
    return header ? header->size : 0;
}
