#include "targets/runtime/memory/space.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/check.h"
#include "base/exit_status.h"
#include "base/hash_index.h"
#include "base/limit.h"
#include "base/vector.h"

/* Addresses of stacks and heaps are the same in every run of heddle if the place is free, so that
 * a program that looks at addresses behaves the same in a replay. */
#define REGION_HINT ((void *)0x180000000000)

enum {
    PAGE_SIZE = 4096,
    LEAST_SPARED = 1 << 20, /* bytes of a segment; smaller ones are kept whole */
    PAGEMAP_SWAPPED = 62,
    GUARD_SIZE = 1 << 16,
    MAIN_STACK_SIZE = 8 << 20,
    THREAD_STACK_SIZE = 8 << 20,
    SMALLEST_STACK_SIZE = 1 << 18,
    SMALLEST_HEAP_SIZE = 1 << 20,
};

/* Of the words for so many bytes. */
#define HISTORIES_SIZE(size) ((((size) >> 3) + 2) * 2 * sizeof(uint32_t))

/* Of every thread: address space, which costs nothing until it is touched. */
#define FIRST_HEAP_SIZE ((size_t)1 << 32)

/* Of memory that is neither the program's nor its threads'. It stays where it is. */
typedef struct foreign_entry {
    uintptr_t number; /* address >> 3 */
    granule granule;
    uint32_t histories[2];
} foreign_entry;

space_state space;
static VECTOR(uintptr_t) object_addresses;
static VECTOR(memory_access) range_accesses;
static VECTOR(uintptr_t) shared_granules;            /* in the order in which they were found */
static uintptr_t lowest_shared[RUNTIME_MAX_THREADS]; /* by thread, or 0 */
bool heddle_stacks_are_shared;
static VECTOR(foreign_entry *) foreign;
static hash_index foreign_index; /* of foreign, by number */
static uint8_t *stack_ready;     /* by thread */

_Static_assert(offsetof(foreign_entry, histories) % 8 == 0, "a word says which half it is of");
_Static_assert(GUARD_SIZE < SMALLEST_STACK_SIZE, "a stack is more than its guard");

_Noreturn static void refuse(void) {
    fputs(
        "heddle: too little address space to run this C program in: raise the limit (ulimit -v)\n",
        stderr);
    exit(EXIT_USAGE);
}

void *space_reserve(size_t size) {
    void *block = mmap(NULL, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (block == MAP_FAILED) {
        refuse();
    }
    madvise(block, size, MADV_DONTDUMP);
    return block;
}

/* Whether this page was written since it was mapped, or this is unknown. */
static bool is_touched(int pages, uintptr_t page) {
    uint64_t entry = UINT64_MAX;
    off_t place = (off_t)(page / PAGE_SIZE * sizeof entry);
    bool known = pages >= 0 && pread(pages, &entry, sizeof entry, place) == sizeof entry;
    return !known || entry >> PAGEMAP_SWAPPED; /* present or swapped */
}

static bool is_zero(const unsigned char *bytes, size_t size) {
    return size == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0);
}

/* The part of a segment that is not zeroes. What was never touched is not read either. */
static size_t filled_size(uintptr_t low, size_t size, size_t filled) {
    if (size < LEAST_SPARED || filled >= size) {
        return size;
    }
    int pages = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    uintptr_t end = low + size, least = low + filled;
    while (end > least) {
        uintptr_t page = (end - 1) & ~(uintptr_t)(PAGE_SIZE - 1);
        uintptr_t start = page > least ? page : least;
        if (is_touched(pages, page) && !is_zero((const unsigned char *)start, end - start)) {
            break;
        }
        end = start;
    }
    if (pages >= 0) {
        close(pages);
    }
    return end - low;
}

void space_add_segment(uintptr_t low, size_t size, size_t filled) {
    CHECK(!size || low + size > low);
    uint32_t count = space.segment_count++;
    space.segments = memory_resize(space.segments, count * sizeof *space.segments,
                                   (count + 1) * sizeof *space.segments);
    space_segment *s = &space.segments[count];
    s->low = low;
    s->size = size;
    s->image_size = filled_size(low, size, filled);
    s->image = memory_resize(NULL, 0, s->image_size);
    memcpy(s->image, (const void *)low, s->image_size);
}

static void place_globals(void) {
    uintptr_t low = UINTPTR_MAX, high = 0;
    for (uint32_t i = 0; i < space.segment_count; i++) {
        const space_segment *s = &space.segments[i];
        low = s->low < low ? s->low : low;
        high = s->low + s->size > high ? s->low + s->size : high;
    }
    if (space.segment_count == 0) {
        low = high = 0;
    }
    CHECK(low <= high);
    space.globals_low = low & ~(uintptr_t)7;
    space.globals_size = high - space.globals_low;
    space.globals_granules = space_reserve(((space.globals_size >> 3) + 2) * sizeof(granule));
    space.globals_histories = space_reserve(HISTORIES_SIZE(space.globals_size));
    space.globals_lacks = space_reserve((space.globals_size >> 3) + 2);
}

void space_add_gap(uintptr_t low, size_t size) {
    uintptr_t offset = low - space.globals_low;
    if (offset >= space.globals_size || size > space.globals_size - offset) {
        return;
    }
    uint8_t *first = &space.globals_lacks[offset >> 3];
    uint8_t *end = &space.globals_lacks[(offset + size) >> 3];
    if (first < end) {
        *first = (uint8_t)(GRANULE_SIZE - (offset & 7));
        memset(first + 1, GRANULE_SIZE, (size_t)(end - first - 1));
    }
}

/* Address space only; NULL if there is none. */
static void *reserve_pages(void *hint, size_t size, int protection) {
    void *block = mmap(hint, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (block == MAP_FAILED) {
        return NULL;
    }
    madvise(block, size, MADV_DONTDUMP);
    return block;
}

/* Reserves the region and the tables beside it; false if there is no room for heaps of that size.
 */
static bool reserve_region(size_t heap_size) {
    size_t size = space.stacks_size + RUNTIME_MAX_THREADS * heap_size, granules = size >> 3;
    size_t sizes[] = {size, granules * sizeof(granule), HISTORIES_SIZE(size), granules};
    enum { BLOCKS = sizeof sizes / sizeof *sizes };
    void *blocks[BLOCKS];
    for (int i = 0; i < BLOCKS; i++) {
        int protection = i == 0 ? PROT_NONE : PROT_READ | PROT_WRITE;
        blocks[i] = reserve_pages(i == 0 ? REGION_HINT : NULL, sizes[i], protection);
        if (!blocks[i]) {
            while (i-- > 0) {
                munmap(blocks[i], sizes[i]);
            }
            return false;
        }
    }
    space.heap_size = heap_size;
    space.region_size = size;
    space.region_low = (uintptr_t)blocks[0];
    space.region_granules = blocks[1];
    space.region_histories = blocks[2];
    space.region_extents = blocks[3];
    return true;
}

/* As much as there is address space for. */
void space_place(void) {
    if (space.region_size) {
        return;
    }
    space.stack_size = THREAD_STACK_SIZE;
    size_t heap_size = FIRST_HEAP_SIZE;
    for (;;) {
        space.stacks_size = MAIN_STACK_SIZE + (size_t)RUNTIME_MAX_THREADS * space.stack_size;
        if (reserve_region(heap_size)) {
            break;
        }
        if (heap_size > SMALLEST_HEAP_SIZE) {
            heap_size >>= 1;
        } else {
            space.stack_size >>= 1;
            if (space.stack_size < SMALLEST_STACK_SIZE) {
                refuse();
            }
        }
    }
    space.stacks_low = space.region_low;
    space.heaps_low = space.stacks_low + space.stacks_size;
    space.shared = space_reserve((space.stacks_size >> 6) + 2);
}

void space_open(void) {
    place_globals();
    space_place();
    vector_clear(&object_addresses);
    vector_push(&object_addresses, 0);
    stack_ready = memory_resize(NULL, 0, RUNTIME_MAX_THREADS);
}

static void free_foreign(void) {
    for (uint32_t i = 0; i < foreign.count; i++) {
        memory_resize(vector_at(&foreign, i), sizeof(foreign_entry), 0);
    }
    vector_free(&foreign);
    hash_index_free(&foreign_index);
}

static void give_back(void *block, size_t size) {
    CHECK(munmap(block, size) == 0);
}

void space_close(void) {
    give_back((void *)space.region_low, space.region_size);
    give_back(space.region_granules, (space.region_size >> 3) * sizeof(granule));
    give_back(space.region_histories, HISTORIES_SIZE(space.region_size));
    give_back(space.region_extents, space.region_size >> 3);
    give_back(space.globals_lacks, (space.globals_size >> 3) + 2);
    give_back(space.globals_histories, HISTORIES_SIZE(space.globals_size));
    give_back(space.globals_granules, ((space.globals_size >> 3) + 2) * sizeof(granule));
    give_back(space.shared, (space.stacks_size >> 6) + 2);
    for (uint32_t i = 0; i < space.segment_count; i++) {
        memory_resize(space.segments[i].image, space.segments[i].image_size, 0);
    }
    memory_resize(space.segments, space.segment_count * sizeof *space.segments, 0);
    memory_resize(stack_ready, RUNTIME_MAX_THREADS, 0);
    vector_free(&object_addresses);
    vector_free(&range_accesses);
    vector_free(&shared_granules);
    memset(lowest_shared, 0, sizeof lowest_shared);
    heddle_stacks_are_shared = false;
    free_foreign();
    space = (space_state){0};
}

uintptr_t space_stack(uint32_t thread, size_t *size) {
    CHECK(thread < RUNTIME_MAX_THREADS);
    uintptr_t low = space.stacks_low;
    size_t whole = MAIN_STACK_SIZE;
    if (thread != RUNTIME_MAIN) {
        low += MAIN_STACK_SIZE + (size_t)(thread - 1) * space.stack_size;
        whole = space.stack_size;
    }
    stack_ready[thread] = 1;
    *size = whole - GUARD_SIZE;
    return low + GUARD_SIZE;
}

uint32_t space_stack_owner(uintptr_t address) {
    uintptr_t offset = address - space.stacks_low;
    CHECK(offset < space.stacks_size);
    return offset < MAIN_STACK_SIZE ? RUNTIME_MAIN
                                    : (uint32_t)((offset - MAIN_STACK_SIZE) / space.stack_size) + 1;
}

bool space_readable(uintptr_t address, size_t size) {
    if (address - space.globals_low < space.globals_size) {
        return address + size <= space.globals_low + space.globals_size;
    }
    uintptr_t offset = address - space.stacks_low;
    if (offset < space.stacks_size) {
        uint32_t thread = 0;
        if (offset >= MAIN_STACK_SIZE) {
            thread = (uint32_t)((offset - MAIN_STACK_SIZE) / space.stack_size) + 1;
            offset = (offset - MAIN_STACK_SIZE) % space.stack_size;
        }
        return stack_ready[thread] && offset >= GUARD_SIZE;
    }
    offset = address - space.heaps_low;
    return offset < space.region_size - space.stacks_size &&
           address + size <= runtime.threads[offset / space.heap_size].heap.limit;
}

uintptr_t space_heap(uint32_t thread) {
    return space.heaps_low + (uintptr_t)thread * space.heap_size;
}

uint32_t space_new_number(uintptr_t address) {
    if (unlikely(object_addresses.count >= OBJECT_NUMBER_MASK ||
                 (LIMIT_TORTURE && object_addresses.count >= limit_most(LIMIT_OBJECTS)))) {
        limit_escape(LIMIT_OBJECTS);
    }
    vector_push(&object_addresses, address);
    return object_addresses.count - 1;
}

uint32_t space_new_object(granule *g, uintptr_t address) {
    DEBUG_CHECK(!g->object);
    g->object = space_new_number(address);
    return g->object;
}

uintptr_t space_object_touched(uint32_t object) {
    return object < object_addresses.count ? vector_at(&object_addresses, object) : 0;
}

uintptr_t space_object_address(uint32_t object) {
    return space_object_touched(object) & ~(uintptr_t)7;
}

static bool is_numbered(const void *number, uint32_t index) {
    return vector_at(&foreign, index)->number == *(const uintptr_t *)number;
}

static foreign_entry *foreign_at(uintptr_t address) {
    uintptr_t number = address >> 3;
    uint32_t hash = hash_index_fold(hash_index_mix(HASH_INDEX_SEED, number));
    uint32_t index = hash_index_find(&foreign_index, hash, is_numbered, &number);
    if (index == HASH_INDEX_NONE) {
        foreign_entry *entry = memory_resize(NULL, 0, sizeof *entry);
        entry->number = number;
        index = foreign.count;
        vector_push(&foreign, entry);
        hash_index_add(&foreign_index, hash, index);
    }
    return vector_at(&foreign, index);
}

granule *space_foreign_granule(uintptr_t address) {
    return &foreign_at(address)->granule;
}

uint32_t *space_foreign_history(uintptr_t address) {
    return &foreign_at(address)->histories[address >> 2 & 1];
}

uintptr_t space_history_address(const uint32_t *word) {
    uintptr_t at = (uintptr_t)word, place = at - (uintptr_t)space.globals_histories;
    if (place < HISTORIES_SIZE(space.globals_size)) {
        return space.globals_low + place;
    }
    place = at - (uintptr_t)space.region_histories;
    if (place < HISTORIES_SIZE(space.region_size)) {
        return space.region_low + place;
    }
    uintptr_t entry = (at - offsetof(foreign_entry, histories)) & ~(uintptr_t)7;
    return ((const foreign_entry *)entry)->number << 3 | (at & 4);
}

void space_check(void) {
    CHECK(space.region_low && space.region_low % 8 == 0 && space.globals_low % 8 == 0);
    CHECK(space.globals_low + space.globals_size <= space.region_low ||
          space.region_low + space.region_size <= space.globals_low);
    CHECK(space.stacks_low >= space.region_low && space.stacks_size < space.region_size);
    CHECK(space.heaps_low >= space.stacks_low + space.stacks_size);
    CHECK(object_addresses.count && !vector_at(&object_addresses, 0));
    CHECK(foreign.count == foreign_index.count);
    for (uint32_t i = 0; i < shared_granules.count; i++) {
        uintptr_t address = vector_at(&shared_granules, i);
        CHECK(address - space.stacks_low < space.stacks_size && space_any_shared(address, 1));
    }
    for (uint32_t i = 0; i < space.segment_count; i++) {
        const space_segment *s = &space.segments[i];
        CHECK(s->low >= space.globals_low && s->image);
        CHECK(s->low + s->size <= space.globals_low + space.globals_size);
    }
}

void space_ranges_begin(void) {
    vector_clear(&range_accesses);
}

void space_ranges_add(uintptr_t address, size_t size, uint8_t mode) {
    uintptr_t end = address + size;
    while (address < end) {
        uint32_t first = address & 7;
        size_t here = end - address < 8 - first ? end - address : 8 - first;
        memory_access a = {.object = space_object(address),
                           .bytes = (uint8_t)(((1u << here) - 1) << first),
                           .mode = mode};
        vector_push(&range_accesses, a);
        address += here;
    }
}

void space_ranges_add_access(memory_access a) {
    vector_push(&range_accesses, a);
}

footprint space_ranges_end(void) {
    return range_accesses.count ? footprint_of(range_accesses.items, range_accesses.count)
                                : FOOTPRINT_EMPTY;
}

footprint space_range(uintptr_t address, size_t size, uint8_t mode) {
    space_ranges_begin();
    space_ranges_add(address, size, mode);
    return space_ranges_end();
}

bool space_range_shared(uintptr_t address, size_t size) {
    if (!shared_granules.count) {
        return false;
    }
    uintptr_t first = (address - space.stacks_low) >> 3;
    uintptr_t last = (address + (size ? size - 1 : 0) - space.stacks_low) >> 3;
    for (uintptr_t i = first; i <= last; i++) {
        if (space.shared[i >> 3] & (1u << (i & 7))) {
            return true;
        }
    }
    return false;
}

uintptr_t space_lowest_shared(uint32_t thread) {
    CHECK(thread < RUNTIME_MAX_THREADS);
    return lowest_shared[thread];
}

static void note_lowest(uintptr_t address) {
    uintptr_t *lowest = &lowest_shared[space_stack_owner(address)];
    *lowest = *lowest && *lowest < address ? *lowest : address;
    heddle_stacks_are_shared = true;
}

void space_mark_shared(uintptr_t address, size_t size) {
    uintptr_t end = address + size;
    if (end > space.stacks_low + space.stacks_size) {
        end = space.stacks_low + space.stacks_size;
    }
    for (uintptr_t i = (address - space.stacks_low) >> 3; i <= (end - 1 - space.stacks_low) >> 3;
         i++) {
        if (!(space.shared[i >> 3] & (1u << (i & 7)))) {
            space.shared[i >> 3] |= (uint8_t)(1u << (i & 7));
            note_lowest(space.stacks_low + (i << 3));
            target_make_stale(space.target);
            vector_push(&shared_granules, space.stacks_low + (i << 3));
        }
    }
}

void space_mark_touched(uintptr_t address, size_t size) {
    if (runtime.threads[space_stack_owner(address)].own_size) {
        space_mark_shared(address, size);
    }
}

uint32_t space_shared_count(void) {
    return shared_granules.count;
}

uintptr_t space_shared_granule(uint32_t index) {
    return vector_at(&shared_granules, index);
}

bool space_shared_at(uint32_t index, space_shared_range *range) {
    if (index >= shared_granules.count) {
        return false;
    }
    uintptr_t address = vector_at(&shared_granules, index);
    size_t size;
    range->thread = space_stack_owner(address);
    uintptr_t low = space_stack(range->thread, &size);
    range->below_top = low + size - address;
    range->size = sizeof(uint64_t);
    return true;
}

bool space_expect_shared(const space_shared_range *range) {
    size_t size;
    if (range->thread >= RUNTIME_MAX_THREADS) {
        return false;
    }
    uintptr_t low = space_stack(range->thread, &size);
    if (range->below_top > size || range->size > range->below_top) {
        return false;
    }
    space_mark_shared(low + size - range->below_top, range->size);
    space.target->stale = false; /* nothing was explored without it */
    return true;
}
