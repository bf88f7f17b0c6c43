#define _GNU_SOURCE
#include "targets/native/hole.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

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

/* All but the one below the stack, which grows, and where nothing is mapped unless asked for. */
void holes_fill(hole_list *list) {
    uintptr_t low = boundary(), start, end;
    VECTOR(hole) found = {0};
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps && fgets(line, sizeof line, maps)) {
        if (strstr(line, "[stack]")) {
            break;
        }
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &start, &end) == 2 && end > low) {
            if (start > low) {
                vector_push(&found, (hole){(void *)low, start - low});
            }
            low = end;
        }
    }
    if (maps) {
        fclose(maps);
    }
    for (uint32_t i = 0; i < found.count; i++) {
        uintptr_t at = (uintptr_t)vector_at(&found, i).start;
        take(list, at, at + vector_at(&found, i).size);
    }
    vector_free(&found);
}

void holes_empty(hole_list *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        munmap(vector_at(list, i).start, vector_at(list, i).size);
    }
    vector_free(list);
}
