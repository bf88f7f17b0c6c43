/* Mutexes and conditions: a table beside the user's memory, found through the granule table. The
 * state is not kept in the pthread_mutex_t itself, so that a stray memset cannot break it. */
#ifndef HEDDLE_RUNTIME_SYNC_H
#define HEDDLE_RUNTIME_SYNC_H

#include <pthread.h>

#include "runtime/runtime.h"
#include "runtime/space.h"
#include "runtime/validity.h"

enum sync_kind { SYNC_MUTEX, SYNC_CONDITION };

typedef struct sync_object {
    uintptr_t address;
    uint32_t object; /* its number in footprints */
    uint8_t kind;
    /* of the present execution: */
    uint32_t owner; /* thread + 1; 0: free */
    uint32_t depth; /* of recursive locking beyond the first */
    uint32_t waiters;
    uint32_t clock; /* row of the race detector, or 0 */
} sync_object;

typedef struct sync_state {
    sync_object *objects; /* index 0 is unused */
    uint32_t count;
    uint32_t capacity;
} sync_state;

extern sync_state syncs;

void sync_open(void);
void sync_close(void);
void sync_reset(void);
uint32_t sync_new(granule *g, uintptr_t address, enum sync_kind kind);

/* The next mutex or condition in the range, by whatever is less: the granules there, or all there
 * are; or 0. Those that are not known yet make the exploration start over (sync_new). */
uint32_t sync_next(uintptr_t start, size_t size, uint32_t *at);

/* The write is so large that it may initialise a mutex or a condition: an assignment, or memset. */
static inline bool sync_may_lie_in(size_t size, uint8_t mode) {
    return size >= sizeof(pthread_mutex_t) && mode & ACCESS_WRITE;
}

/* The index of the mutex or condition at this address. */
static inline uint32_t sync_at(const void *address, enum sync_kind kind) {
    granule *g = space_granule((uintptr_t)address);
    uint32_t index = likely(g->sync) ? g->sync : sync_new(g, (uintptr_t)address, kind);
    syncs.objects[index].kind = (uint8_t)kind;
    return index;
}

/* The mutex or condition is about to be used: it must be alive. One look at its first granule is
 * enough for that. */
static inline void sync_check(runtime_thread *t, const void *address, uint32_t location) {
    validity_check(t, (uintptr_t)address, GRANULE_SIZE, ACCESS_READ_WRITE, location);
}

static inline footprint sync_footprint(uint32_t index) {
    return footprint_single((access){.object = syncs.objects[index].object,
                                     .bytes = ACCESS_ALL_BYTES,
                                     .mode = ACCESS_READ_WRITE});
}

/* The mutex or condition with this object number, or NULL. */
const sync_object *sync_by_object(uint32_t object);

#endif
