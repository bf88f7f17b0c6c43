#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/limit.h"

/* For what comes after the end of memory: a report. */
enum { RESERVE = 1 << 20 };

static _Thread_local size_t in_use;
static size_t charged;             /* to the program under test */
static size_t most = SIZE_MAX;     /* in use and charged */
static size_t far_most = SIZE_MAX; /* an eighth more */
static void *reserve;

/* What is still needed, to say so, is not much. */
static _Noreturn void exhausted(void) {
    most = far_most = SIZE_MAX;
    free(reserve);
    reserve = NULL;
    limit_escape(LIMIT_MEMORY);
}

static void *grow(void *block, size_t old_size, size_t new_size) {
    size_t total = in_use - old_size + new_size + charged;
    if (total > most) {
        if (total > far_most) {
            exhausted();
        }
        limit_stop(LIMIT_MEMORY);
    }
    char *moved = realloc(block, new_size);
    if (!moved) {
        exhausted();
    }
    memset(moved + old_size, 0, new_size - old_size);
    return moved;
}

void *memory_resize(void *block, size_t old_size, size_t new_size) {
    CHECK((block == NULL) == (old_size == 0));
    if (new_size > old_size) {
        block = grow(block, old_size, new_size);
    } else if (new_size) {
        void *moved = realloc(block, new_size);
        block = moved ? moved : block;
    } else {
        free(block);
        block = NULL;
    }
    in_use += new_size - old_size;
    return block;
}

size_t memory_in_use(void) {
    return in_use;
}

void memory_charge(size_t size) {
    size_t total = in_use + charged;
    if (size > most || total > most - size) {
        exhausted();
    }
    charged += size;
}

void memory_limit(uint64_t bytes, uint32_t processes) {
    uint64_t wanted = (bytes ? bytes : memory_of_machine() / 4 * 3) / processes;
    uint64_t torture = limit_most(LIMIT_MEMORY);
    most = wanted < torture ? wanted : torture;
    far_most = most < SIZE_MAX - most / 8 ? most + most / 8 : SIZE_MAX;
    if (!reserve) {
        reserve = malloc(RESERVE);
    }
}
