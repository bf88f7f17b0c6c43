#include "runtime/sync.h"

#include "base/memory.h"
#include "runtime/heap.h"

enum { SYNC_FIRST_CAPACITY = 64 };

sync_state syncs;

static void grow(uint32_t capacity) {
    syncs.objects = memory_resize(syncs.objects, syncs.capacity * sizeof *syncs.objects,
                                  capacity * sizeof *syncs.objects);
    syncs.capacity = capacity;
}

void sync_open(void) {
    grow(SYNC_FIRST_CAPACITY);
    syncs.count = 1;
}

void sync_close(void) {
    grow(0);
    syncs.count = 0;
}

void sync_reset(void) {
    for (uint32_t i = 1; i < syncs.count; i++) {
        sync_object *s = &syncs.objects[i];
        s->owner = s->depth = s->waiters = s->clock = 0;
    }
}

uint32_t sync_new(granule *g, uintptr_t address, enum sync_kind kind) {
    if (syncs.count == syncs.capacity) {
        grow(syncs.capacity * 2);
    }
    g->sync = syncs.count++;
    syncs.objects[g->sync] = (sync_object){
        .address = address, .object = space_new_number(address), .kind = (uint8_t)kind};
    if (heap_contains(address) || g->object) { /* freeing or overwriting it writes to it */
        *space.stale = true;
    }
    return g->sync;
}

uint32_t sync_next(uintptr_t start, size_t size, uint32_t *at) {
    bool by_granules = size / GRANULE_SIZE < syncs.count;
    uint32_t count = by_granules ? (uint32_t)(size / GRANULE_SIZE) : syncs.count;
    while (*at < count) {
        uint32_t i = (*at)++;
        uint32_t index = by_granules ? space_granule(start + i * GRANULE_SIZE)->sync : i;
        if (index && syncs.objects[index].address - start < size) {
            return index;
        }
    }
    return 0;
}

const sync_object *sync_by_object(uint32_t object) {
    for (uint32_t i = 1; i < syncs.count; i++) {
        if (syncs.objects[i].object == object) {
            return &syncs.objects[i];
        }
    }
    return NULL;
}
