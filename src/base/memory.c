#define _GNU_SOURCE /* mremap */
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/check.h"
#include "base/limit.h"

/* A reserve for writing the report when memory is exhausted. */
enum { RESERVE = 1 << 20 };

/* Blocks of at least this size are separate mappings: parts that were never used are zero without
 * being written, and take no memory. Address sanitizers only see blocks from malloc. */
#ifdef __SANITIZE_ADDRESS__
#define LARGE SIZE_MAX
#else
#define LARGE ((size_t)1 << 20)
#endif
#define HUGE ((size_t)1 << 22)
#define PAGE ((size_t)4096)

static _Thread_local size_t in_use;
static size_t charged;             /* to the program under test */
static size_t most = SIZE_MAX;     /* in use and charged */
static size_t far_most = SIZE_MAX; /* an eighth more */
static size_t much = SIZE_MAX;     /* in use and charged, for memory_watch */
static uint32_t *watching;         /* becomes 1 then */
static void *reserve;

/* Little is needed to report that. */
static _Noreturn void exhausted(void) {
    most = far_most = SIZE_MAX;
    free(reserve);
    reserve = NULL;
    limit_escape(LIMIT_MEMORY);
}

/* ---- large blocks ---- */

static size_t whole_pages(size_t size) {
    return (size + PAGE - 1) & ~(PAGE - 1);
}

static void *map(size_t size) {
    void *block =
        mmap(NULL, whole_pages(size), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return block == MAP_FAILED ? NULL : block;
}

/* A large block, made from one of any size; NULL if there is no room. */
static void *resize_large(void *block, size_t old_size, size_t new_size) {
    if (old_size < LARGE) {
        void *mapped = map(new_size);
        if (mapped && old_size) {
            memcpy(mapped, block, old_size);
            free(block);
        }
        return mapped;
    }
    void *moved = mremap(block, whole_pages(old_size), whole_pages(new_size), MREMAP_MAYMOVE);
    if (moved != MAP_FAILED && new_size >= HUGE) {
        madvise(moved, whole_pages(new_size), MADV_HUGEPAGE); /* fewer faults; 10 % faster */
    }
    return moved == MAP_FAILED ? NULL : moved;
}

/* A small block, made from a large one. */
static void *make_small(void *block, size_t old_size, size_t new_size) {
    void *small = new_size ? malloc(new_size) : NULL;
    if (new_size && !small) {
        return NULL;
    }
    if (small) {
        memcpy(small, block, new_size);
    }
    munmap(block, whole_pages(old_size));
    return small;
}

/* As realloc. */
static void *resize(void *block, size_t old_size, size_t new_size) {
    if (new_size >= LARGE) {
        return resize_large(block, old_size, new_size);
    }
    return old_size >= LARGE ? make_small(block, old_size, new_size) : realloc(block, new_size);
}

/* How far a block that became a large one must be zeroed: the rest is new. */
static size_t used_end(size_t old_size, size_t new_size) {
    if (new_size < LARGE) {
        return new_size;
    }
    size_t end = old_size < LARGE ? old_size : whole_pages(old_size);
    return end < new_size ? end : new_size;
}

/* ---- all blocks ---- */

static void *grow(void *block, size_t old_size, size_t new_size) {
    size_t total = in_use - old_size + new_size + charged;
    if (total > most) {
        if (total > far_most) {
            exhausted();
        }
        limit_stop(LIMIT_MEMORY);
    }
    if (total > much) {
        much = SIZE_MAX;
        *watching = 1;
    }
    char *moved = resize(block, old_size, new_size);
    if (!moved) {
        exhausted();
    }
    memset(moved + old_size, 0, used_end(old_size, new_size) - old_size);
    return moved;
}

void *memory_resize(void *block, size_t old_size, size_t new_size) {
    CHECK((block == NULL) == (old_size == 0));
    if (new_size > old_size) {
        block = grow(block, old_size, new_size);
    } else if (new_size) {
        void *moved = resize(block, old_size, new_size);
        CHECK(moved || old_size < LARGE || new_size >= LARGE);
        block = moved ? moved : block;
    } else if (old_size >= LARGE) {
        block = make_small(block, old_size, 0);
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

void memory_watch(uint32_t *word) {
    size_t total = in_use + charged, room = most > total ? (most - total) / 4 : 0;
    watching = word;
    much = total + (room < MEMORY_MUCH ? room : MEMORY_MUCH);
}

bool memory_is_much(void) {
    return watching && much == SIZE_MAX;
}

/* The memory that one of so many processes may allocate. */
static uint64_t find_share(uint64_t bytes, uint32_t processes) {
    uint64_t share = bytes / processes, own = memory_of_process();
    uint64_t elsewhere = share / MEMORY_PART_ELSEWHERE;
    bool small = share < MEMORY_SMALL_SHARE || own > share / 2;
    return small ? share : share - elsewhere - own;
}

void memory_limit(uint64_t bytes, uint32_t processes) {
    uint64_t wanted = find_share(bytes ? bytes : memory_of_machine() / 4 * 3, processes);
    uint64_t torture = limit_most(LIMIT_MEMORY);
    most = wanted < torture ? wanted : torture;
    most = most < SIZE_MAX - in_use ? most + in_use : SIZE_MAX;
    far_most = most < SIZE_MAX - most / 8 ? most + most / 8 : SIZE_MAX;
    if (!reserve) {
        reserve = malloc(RESERVE);
    }
}
