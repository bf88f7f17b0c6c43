#include "targets/runtime/memory/globals.h"

#include <string.h>
#include <sys/mman.h>

#include "base/check.h"
#include "base/memory.h"
#include "targets/runtime/kernel/state.h"
#include "targets/runtime/memory/heap.h"
#include "targets/runtime/memory/space.h"

enum {
    PAGE_SIZE = 4096,
    WHOLE_LIMIT = 1 << 16,
    MOST_CHUNKS = 1 << 13, /* of a segment: the kernel keeps each apart */
};

/* Pages that were written to are put back together. */
typedef struct written_chunk {
    uintptr_t low;
    size_t size;
    const unsigned char *image;
    size_t image_size; /* and zeroes after that */
} written_chunk;

/* Where pages are watched; the rest of a segment is copied as a whole. */
typedef struct watched_range {
    uintptr_t low, high;
    const space_segment *segment;
    size_t chunk_size;
    uint8_t *written; /* by chunk */
} watched_range;

static struct {
    watched_range *ranges; /* a segment has one at most */
    uint32_t range_count;
    written_chunk *chunks;
    uint32_t chunk_count, chunk_capacity;
} globals;

static size_t chunks_of(const watched_range *r) {
    return (r->high - r->low + r->chunk_size - 1) / r->chunk_size;
}

static void watch(const space_segment *s) {
    uintptr_t low = (s->low + PAGE_SIZE - 1) & ~(uintptr_t)(PAGE_SIZE - 1);
    uintptr_t high = (s->low + s->size) & ~(uintptr_t)(PAGE_SIZE - 1);
    if (s->size <= WHOLE_LIMIT || low >= high) {
        return;
    }
    watched_range *r = &globals.ranges[globals.range_count++];
    *r = (watched_range){.low = low, .high = high, .segment = s, .chunk_size = PAGE_SIZE};
    while (chunks_of(r) > MOST_CHUNKS) {
        r->chunk_size *= 2;
    }
    r->written = memory_resize(NULL, 0, chunks_of(r));
    globals.chunk_capacity += (uint32_t)chunks_of(r);
    CHECK(mprotect((void *)low, high - low, PROT_READ) == 0);
}

void globals_open(void) {
    globals.range_count = globals.chunk_count = globals.chunk_capacity = 0;
    globals.ranges = memory_resize(NULL, 0, space.segment_count * sizeof *globals.ranges);
    for (uint32_t i = 0; i < space.segment_count; i++) {
        watch(&space.segments[i]);
    }
    globals.chunks = memory_resize(NULL, 0, globals.chunk_capacity * sizeof *globals.chunks);
}

void globals_unwatch(void) {
    for (uint32_t i = 0; i < globals.range_count; i++) {
        const watched_range *r = &globals.ranges[i];
        CHECK(mprotect((void *)r->low, r->high - r->low, PROT_READ | PROT_WRITE) == 0);
        memory_resize(r->written, chunks_of(r), 0);
    }
    globals.range_count = 0;
}

void globals_close(void) {
    CHECK(!globals.range_count); /* the program may have been unloaded */
    memory_resize(globals.chunks, globals.chunk_capacity * sizeof *globals.chunks, 0);
    memory_resize(globals.ranges, space.segment_count * sizeof *globals.ranges, 0);
    globals.chunks = NULL;
    globals.ranges = NULL;
    globals.range_count = globals.chunk_count = globals.chunk_capacity = 0;
}

/* The bytes of the image at an address of the segment, and how many there are before the zeroes. */
static const unsigned char *image_at(const space_segment *s, uintptr_t address, size_t size,
                                     size_t *image_size) {
    size_t offset = address - s->low, left = offset < s->image_size ? s->image_size - offset : 0;
    *image_size = left < size ? left : size;
    return left ? s->image + offset : NULL;
}

bool globals_fault(uintptr_t address) {
    for (uint32_t i = 0; i < globals.range_count; i++) {
        const watched_range *r = &globals.ranges[i];
        size_t chunk = (address - r->low) / r->chunk_size;
        if (address - r->low >= r->high - r->low) {
            continue;
        }
        if (r->written[chunk]) {
            return false; /* writable already: something else is wrong */
        }
        CHECK(globals.chunk_count < globals.chunk_capacity);
        written_chunk *w = &globals.chunks[globals.chunk_count++];
        w->low = r->low + chunk * r->chunk_size;
        w->size = r->high - w->low < r->chunk_size ? r->high - w->low : r->chunk_size;
        w->image = image_at(r->segment, w->low, w->size, &w->image_size);
        r->written[chunk] = 1;
        return mprotect((void *)w->low, w->size, PROT_READ | PROT_WRITE) == 0;
    }
    return false;
}

static const watched_range *watched_part(const space_segment *s) {
    for (uint32_t i = 0; i < globals.range_count; i++) {
        if (globals.ranges[i].low - s->low < s->size) {
            return &globals.ranges[i];
        }
    }
    return NULL;
}

/* The parts of a segment that are not watched: all of it, or its ends. */
static void pass_unwatched(state_cursor *c, const space_segment *s) {
    const watched_range *r = watched_part(s);
    uintptr_t end = s->low + s->size;
    uintptr_t first_end = r ? r->low : end, second = r ? r->high : end;
    state_pass(c, (void *)s->low, first_end - s->low);
    state_pass(c, (void *)second, end - second);
}

/* Any part of a segment. */
static void put_back(const space_segment *s, uintptr_t low, uintptr_t high) {
    size_t image_size;
    const unsigned char *image = image_at(s, low, high - low, &image_size);
    if (image_size) {
        memcpy((void *)low, image, image_size);
    }
    memset((void *)(low + image_size), 0, high - low - image_size);
}

static void reset_unwatched(const space_segment *s) {
    const watched_range *r = watched_part(s);
    uintptr_t end = s->low + s->size;
    put_back(s, s->low, r ? r->low : end);
    put_back(s, r ? r->high : end, end);
}

/* The kernel clears large chunks: only touched pages cost something. */
static void reset_chunk(const written_chunk *w) {
    if (w->image_size) {
        memcpy((void *)w->low, w->image, w->image_size);
    }
    if (w->size > PAGE_SIZE && !w->image_size) {
        CHECK(madvise((void *)w->low, w->size, MADV_DONTNEED) == 0);
    } else {
        memset((void *)(w->low + w->image_size), 0, w->size - w->image_size);
    }
}

static void reset_chunks(void) {
    for (uint32_t i = 0; i < globals.chunk_count; i++) {
        reset_chunk(&globals.chunks[i]);
    }
}

void globals_reset(void) {
    for (uint32_t i = 0; i < space.segment_count; i++) {
        reset_unwatched(&space.segments[i]);
    }
    reset_chunks();
}

static bool differs(const written_chunk *w) {
    const unsigned char *bytes = (const unsigned char *)w->low;
    if (w->image_size && memcmp(bytes, w->image, w->image_size) != 0) {
        return true;
    }
    const unsigned char *zeroes = bytes + w->image_size;
    size_t size = w->size - w->image_size;
    return size && (zeroes[0] || memcmp(zeroes, zeroes + 1, size - 1) != 0);
}

/* A state has the chunks that differ from their image: those that were written only later, or hold
 * again what they held first, do not count. */
static void pass_chunks(state_cursor *c) {
    uint32_t index = 0, end = UINT32_MAX;
    if (c->direction == CURSOR_RESTORES) {
        reset_chunks();
        for (STATE_PASS(c, index); index != end; STATE_PASS(c, index)) {
            CHECK(index < globals.chunk_count); /* what was written stays so */
            state_pass(c, (void *)globals.chunks[index].low, globals.chunks[index].size);
        }
        return;
    }
    for (; index < globals.chunk_count; index++) {
        if (differs(&globals.chunks[index])) {
            STATE_PASS(c, index);
            state_pass(c, (void *)globals.chunks[index].low, globals.chunks[index].size);
        }
    }
    STATE_PASS(c, end);
}

void globals_pass(struct state_cursor *c) {
    for (uint32_t i = 0; i < space.segment_count; i++) {
        pass_unwatched(c, &space.segments[i]);
    }
    pass_chunks(c);
}

/* Pages that were never written hold no address of the heap, unless a constructor put it there. */
void globals_visit(void (*visit)(void *, uintptr_t, uintptr_t), void *context) {
    for (uint32_t i = 0; i < space.segment_count; i++) {
        const space_segment *s = &space.segments[i];
        const watched_range *r = heap_loaded() ? NULL : watched_part(s);
        visit(context, s->low, r ? r->low : s->low + s->size);
        if (r) {
            visit(context, r->high, s->low + s->size);
        }
    }
    for (uint32_t i = 0; i < globals.chunk_count && !heap_loaded(); i++) {
        const written_chunk *w = &globals.chunks[i];
        visit(context, w->low, w->low + w->size);
    }
}
