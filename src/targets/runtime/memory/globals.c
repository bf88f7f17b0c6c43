#include "targets/runtime/memory/globals.h"

#include <string.h>
#include <sys/mman.h>

#include "base/check.h"
#include "base/memory.h"
#include "targets/runtime/kernel/state.h"
#include "targets/runtime/memory/heap.h"
#include "targets/runtime/memory/space.h"

enum { PAGE_SIZE = 4096, WHOLE_LIMIT = 1 << 16 };

typedef struct written_page {
    uintptr_t low;
    const unsigned char *image;
} written_page;

/* Where pages are watched; the rest of a segment is copied as a whole. */
typedef struct watched_range {
    uintptr_t low, high;
    const unsigned char *image; /* of `low` */
} watched_range;

static struct {
    watched_range *ranges; /* a segment has one at most */
    uint32_t range_count;
    written_page *pages;
    uint32_t page_count, page_capacity;
} globals;

static void watch(const space_segment *s) {
    uintptr_t low = (s->low + PAGE_SIZE - 1) & ~(uintptr_t)(PAGE_SIZE - 1);
    uintptr_t high = (s->low + s->size) & ~(uintptr_t)(PAGE_SIZE - 1);
    if (s->size <= WHOLE_LIMIT || low >= high) {
        return;
    }
    globals.ranges[globals.range_count++] = (watched_range){low, high, s->image + (low - s->low)};
    globals.page_capacity += (uint32_t)((high - low) / PAGE_SIZE);
    CHECK(mprotect((void *)low, high - low, PROT_READ) == 0);
}

void globals_open(void) {
    globals.range_count = globals.page_count = globals.page_capacity = 0;
    globals.ranges = memory_resize(NULL, 0, space.segment_count * sizeof *globals.ranges);
    for (uint32_t i = 0; i < space.segment_count; i++) {
        watch(&space.segments[i]);
    }
    globals.pages = memory_resize(NULL, 0, globals.page_capacity * sizeof *globals.pages);
}

void globals_unwatch(void) {
    for (uint32_t i = 0; i < globals.range_count; i++) {
        const watched_range *r = &globals.ranges[i];
        CHECK(mprotect((void *)r->low, r->high - r->low, PROT_READ | PROT_WRITE) == 0);
    }
    globals.range_count = 0;
}

void globals_close(void) {
    CHECK(!globals.range_count); /* the program may have been unloaded */
    memory_resize(globals.pages, globals.page_capacity * sizeof *globals.pages, 0);
    memory_resize(globals.ranges, space.segment_count * sizeof *globals.ranges, 0);
    globals.pages = NULL;
    globals.ranges = NULL;
    globals.range_count = globals.page_count = globals.page_capacity = 0;
}

bool globals_fault(uintptr_t address) {
    uintptr_t low = address & ~(uintptr_t)(PAGE_SIZE - 1);
    for (uint32_t i = 0; i < globals.range_count; i++) {
        const watched_range *r = &globals.ranges[i];
        if (low - r->low >= r->high - r->low) {
            continue;
        }
        for (uint32_t k = 0; k < globals.page_count; k++) {
            if (globals.pages[k].low == low) {
                return false; /* writable already: something else is wrong */
            }
        }
        CHECK(globals.page_count < globals.page_capacity);
        globals.pages[globals.page_count++] = (written_page){low, r->image + (low - r->low)};
        return mprotect((void *)low, PAGE_SIZE, PROT_READ | PROT_WRITE) == 0;
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

static void reset_unwatched(const space_segment *s) {
    const watched_range *r = watched_part(s);
    uintptr_t end = s->low + s->size;
    uintptr_t first_end = r ? r->low : end, second = r ? r->high : end;
    memcpy((void *)s->low, s->image, first_end - s->low);
    memcpy((void *)second, s->image + (second - s->low), end - second);
}

static void reset_pages(void) {
    for (uint32_t i = 0; i < globals.page_count; i++) {
        memcpy((void *)globals.pages[i].low, globals.pages[i].image, PAGE_SIZE);
    }
}

void globals_reset(void) {
    for (uint32_t i = 0; i < space.segment_count; i++) {
        reset_unwatched(&space.segments[i]);
    }
    reset_pages();
}

static bool differs(const written_page *page) {
    return memcmp((const void *)page->low, page->image, PAGE_SIZE) != 0;
}

/* A state has the pages that differ from their image: pages that were written only later, or hold
 * again what they held first, do not count. */
static void pass_pages(state_cursor *c) {
    uint32_t index = 0, end = UINT32_MAX;
    if (c->direction == CURSOR_RESTORES) {
        reset_pages();
        for (STATE_PASS(c, index); index != end; STATE_PASS(c, index)) {
            CHECK(index < globals.page_count); /* pages that were written stay so */
            state_pass(c, (void *)globals.pages[index].low, PAGE_SIZE);
        }
        return;
    }
    for (; index < globals.page_count; index++) {
        if (differs(&globals.pages[index])) {
            STATE_PASS(c, index);
            state_pass(c, (void *)globals.pages[index].low, PAGE_SIZE);
        }
    }
    STATE_PASS(c, end);
}

void globals_pass(struct state_cursor *c) {
    for (uint32_t i = 0; i < space.segment_count; i++) {
        pass_unwatched(c, &space.segments[i]);
    }
    pass_pages(c);
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
    for (uint32_t i = 0; i < globals.page_count && !heap_loaded(); i++) {
        visit(context, globals.pages[i].low, globals.pages[i].low + PAGE_SIZE);
    }
}
