#define _GNU_SOURCE
#include "targets/native/hole.h"

#include <sys/auxv.h>
#include <sys/mman.h>

#include "base/maps.h"

/* More than heddle ever maps. */
#define ROOM ((uintptr_t)1 << 36)

/* Below the dynamic linker, which the system maps first, at the top. */
static uintptr_t boundary(void) {
    return ((uintptr_t)getauxval(AT_BASE) & ~(ROOM - 1)) - ROOM;
}

static void take(hole_list *list, uintptr_t low, uintptr_t high) {
    hole h = {.start = (void *)low, .size = high - low};
    void *got = mmap(h.start, h.size, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == h.start) {
        vector_push(list, h);
    } else if (got != MAP_FAILED) {
        munmap(got, h.size);
    }
}

typedef struct search {
    uintptr_t low; /* the end of the last mapping */
    hole_list found;
} search;

/* The one below the stack is none: the stack grows, and nothing is mapped there unless asked for.
 */
static bool find_below(void *context, uintptr_t start, uintptr_t end, bool stack) {
    search *s = context;
    if (!stack && end > s->low) {
        if (start > s->low) {
            vector_push(&s->found, ((hole){(void *)s->low, start - s->low}));
        }
        s->low = end;
    }
    return !stack;
}

void holes_fill(hole_list *list) {
    search s = {.low = boundary()};
    maps_visit(find_below, &s);
    for (uint32_t i = 0; i < s.found.count; i++) {
        uintptr_t at = (uintptr_t)vector_at(&s.found, i).start;
        take(list, at, at + vector_at(&s.found, i).size);
    }
    vector_free(&s.found);
}

void holes_empty(hole_list *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        munmap(vector_at(list, i).start, vector_at(list, i).size);
    }
    vector_free(list);
}
