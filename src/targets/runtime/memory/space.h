/* The address space of the program: its globals, and one reserved region with the stack and the
 * heap of every thread at fixed places.
 *
 * Each aligned group of eight bytes (granule) gets a small number when it is first touched, and
 * keeps it: that is the object number of footprints. The numbers are in tables that mirror the
 * memory, reserved and filled by the kernel page by page, so that a look-up is an addition and a
 * load. Rejected: a hash table, which costs a multiplication and a probe at every event. It stays
 * for addresses that belong to neither (libc's data).
 *
 * Beside the numbers, every half of a granule has a word of the race detector's, which names the
 * history of its plain accesses (race/histories.h): most granules need no number for that.
 *
 * And every granule has its extent: how many of its bytes, from the first on, are part of a live
 * object. Whether an access is valid takes one load and a comparison; what that does not answer is
 * 0 (freed memory, gaps, stacks, wide blocks) and left to validity.h. */
#ifndef HEDDLE_TARGETS_RUNTIME_MEMORY_SPACE_H
#define HEDDLE_TARGETS_RUNTIME_MEMORY_SPACE_H

#include "core/footprint.h"
#include "targets/runtime/kernel/runtime.h"

typedef struct granule {
    uint32_t object;
    uint32_t sync; /* the mutex or condition at this address; see sync.h */
} granule;

typedef struct space_segment {
    uintptr_t low, size;
    unsigned char *image; /* what it held when the program was loaded: so much, and then zeroes */
    size_t image_size;
} space_segment;

enum { GRANULE_SIZE = 8 };

typedef struct space_state {
    uintptr_t region_low, region_size;
    granule *region_granules;
    uint32_t *region_histories;
    uint8_t *region_extents;             /* 0 to GRANULE_SIZE */
    uintptr_t globals_low, globals_size; /* spans all writable segments of the program */
    granule *globals_granules;
    uint32_t *globals_histories;
    uint8_t *globals_lacks; /* what is left of GRANULE_SIZE is the extent: most have all of it */
    uintptr_t text_low, text_size;
    uintptr_t image_low, image_size;     /* the whole program as loaded */
    void *program;                       /* the same, for dlsym */
    uintptr_t letters_low, letters_size; /* payloads of messages; the program only reads them */
    uint8_t *shared; /* a bit per granule of the stacks: another thread has accessed it */
    uintptr_t stacks_low, stacks_size;
    uintptr_t heaps_low;
    size_t stack_size, heap_size;
    bool stacks_hold_code; /* pointers to nested functions lead there */
    target *target;        /* which learns what is found out about the program */
    space_segment *segments;
    uint32_t segment_count;
    const void *tls_image;
    size_t tls_image_size, tls_size, tls_align;
} space_state;

extern space_state space;

/* The regions do not overlap, and numbers and granules of objects name each other; for debug
 * builds. */
void space_check(void);

void space_open(void);
void space_close(void);

/* Reserves the region if it is not there yet: constructors allocate before space_open. */
void space_place(void);

/* A writable segment of the program, to be restored at every reset. Called before space_open. After
 * its first `filled` bytes it was zeroes when it was mapped. */
void space_add_segment(uintptr_t low, size_t size, size_t filled);

/* Bytes among the globals that belong to no variable; they end where a granule does. */
void space_add_gap(uintptr_t low, size_t size);

/* Stack of a thread: [low, low + size), made accessible page by page (stack.h). */
uintptr_t space_stack(uint32_t thread, size_t *size);

/* The thread that a byte of the stacks belongs to. */
uint32_t space_stack_owner(uintptr_t address);
uintptr_t space_heap(uint32_t thread);

granule *space_foreign_granule(uintptr_t address);
uint32_t *space_foreign_history(uintptr_t address);
uint32_t space_new_object(granule *g, uintptr_t address);

/* A number for something that is not memory. */
uint32_t space_new_number(uintptr_t address);

/* Where object number `object` is (a granule's first byte); 0 if there is no such object. */
uintptr_t space_object_address(uint32_t object);

/* The byte of it that was touched first: most likely the beginning of a variable. */
uintptr_t space_object_touched(uint32_t object);

static inline granule *space_granule(uintptr_t address) {
    uintptr_t offset = address - space.globals_low;
    if (offset < space.globals_size) {
        return &space.globals_granules[offset >> 3];
    }
    offset = address - space.region_low;
    if (likely(offset < space.region_size)) {
        return &space.region_granules[offset >> 3];
    }
    return space_foreign_granule(address);
}

/* The race detector's word of half a granule. It stays where it is. And which bytes a word is of:
 * their first one. */
static inline uint32_t *space_history(uintptr_t address) {
    uintptr_t offset = address - space.globals_low;
    if (offset < space.globals_size) {
        return &space.globals_histories[offset >> 2];
    }
    offset = address - space.region_low;
    if (likely(offset < space.region_size)) {
        return &space.region_histories[offset >> 2];
    }
    return space_foreign_history(address);
}

uintptr_t space_history_address(const uint32_t *word);

static inline bool space_contains(uintptr_t address) {
    return address - space.globals_low < space.globals_size ||
           address - space.region_low < space.region_size;
}

static inline __attribute__((always_inline)) uint32_t space_extent(uintptr_t address) {
    uintptr_t offset = address - space.globals_low;
    if (offset < space.globals_size) {
        return GRANULE_SIZE - (uint32_t)space.globals_lacks[offset >> 3];
    }
    offset = address - space.region_low;
    return likely(offset < space.region_size) ? space.region_extents[offset >> 3] : 0;
}

/* These bytes of one granule are part of a live object. False: perhaps; validity.h knows. */
static inline __attribute__((always_inline)) bool space_holds(uintptr_t address, size_t size) {
    return (address & 7) + size <= space_extent(address);
}

/* The program's own code. */
static inline bool space_in_text(uintptr_t counter) {
    return counter - space.text_low < space.text_size;
}

/* Memory that is never written: string literals, constants, messages. */
static inline bool space_constant(uintptr_t address) {
    return (address - space.image_low < space.image_size &&
            address - space.globals_low >= space.globals_size) ||
           address - space.letters_low < space.letters_size;
}

/* Whether the runtime itself may read this. */
bool space_readable(uintptr_t address, size_t size);

static inline uint32_t space_object(uintptr_t address) {
    granule *g = space_granule(address);
    return likely(g->object) ? g->object : space_new_object(g, address);
}

/* The footprint of a range that crosses granules. */
footprint space_range(uintptr_t address, size_t size, uint8_t mode);

/* Of several ranges in one step: begin, add each, end. */
void space_ranges_begin(void);
void space_ranges_add(uintptr_t address, size_t size, uint8_t mode);
void space_ranges_add_access(memory_access a);
footprint space_ranges_end(void);

static inline footprint space_footprint(uintptr_t address, size_t size, uint8_t mode) {
    uint32_t first = address & 7;
    if (likely(size - 1 < 8 - first)) {
        return footprint_single((memory_access){.object = space_object(address),
                                                .bytes = (uint8_t)(((1u << size) - 1) << first),
                                                .mode = mode});
    }
    return size ? space_range(address, size, mode) : FOOTPRINT_EMPTY;
}

bool space_range_shared(uintptr_t address, size_t size);
extern bool heddle_stacks_are_shared; /* anything was marked; the program looks at it */

/* The lowest granule of a thread that was; 0: none. */
uintptr_t space_lowest_shared(uint32_t thread);
void space_mark_shared(uintptr_t address, size_t size);

/* The same, if it is the stack of a thread that there has ever been: no other thread could be
 * using it. */
void space_mark_touched(uintptr_t address, size_t size);

/* Bytes of a stack that are shared, by names that hold in every process. */
typedef struct space_shared_range {
    uint32_t thread;
    size_t below_top, size;
} space_shared_range;

/* Granules of stacks that are shared, in the order in which they were found. */
uint32_t space_shared_count(void);
uintptr_t space_shared_granule(uint32_t index);

bool space_shared_at(uint32_t index, space_shared_range *range);
bool space_expect_shared(const space_shared_range *range);

/* Of the granule that the address lies in. */
static inline __attribute__((always_inline)) bool space_is_shared(uintptr_t address) {
    uintptr_t i = (address - space.stacks_low) >> 3;
    return (space.shared[i >> 3] & (1u << (i & 7))) != 0;
}

static inline bool space_any_shared(uintptr_t address, size_t size) {
    return likely((address & 7) + size <= 8) ? space_is_shared(address)
                                             : space_range_shared(address, size);
}

/* The thread may access this silently: its own memory, which no other thread has accessed. */
static inline bool space_private(const runtime_thread *t, uintptr_t address, size_t size) {
    uintptr_t offset = address - t->own_low;
    return offset < t->own_size && size <= t->own_size - offset && !space_any_shared(address, size);
}

/* To be called for every announced access: own memory of another thread becomes shared. */
static inline void space_touch(const runtime_thread *t, uintptr_t address, size_t size) {
    if (unlikely(address - space.stacks_low < space.stacks_size) &&
        address - t->own_low >= t->own_size) {
        space_mark_touched(address, size);
    }
}

/* Memory of heddle's own, reserved but not yet backed. */
void *space_reserve(size_t size);

#endif
