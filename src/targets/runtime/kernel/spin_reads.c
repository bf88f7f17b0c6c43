#include "targets/runtime/kernel/spin_reads.h"

#include <string.h>

#include "base/vector.h"
#include "targets/runtime/kernel/spin.h"
#include "targets/runtime/memory/space.h"
#include "targets/runtime/race/race.h"
#include "targets/runtime/sync/sync.h"

enum spin_once spin_once;

typedef struct void_read {
    uintptr_t address;
    uint8_t bytes;
    bool atomic, writes; /* if it is atomic, it may write what was there */
    uint32_t thread, creator, mutex;
} void_read;

static VECTOR(void_read) void_reads;

/* Granules that were read, or written, plainly while loops were watched, by hashes. */
enum { PLAIN_BITS = 1 << 16 };

static uint8_t plainly[2][PLAIN_BITS / 8];
static bool plainly_everywhere;

void spin_reads_close(void) {
    vector_free(&void_reads);
    memset(plainly, 0, sizeof plainly);
    plainly_everywhere = false;
    spin_once = SPIN_ONCE_NOT;
}

static uint32_t plain_bit(uintptr_t granule) {
    return (uint32_t)((uint64_t)(granule / GRANULE_SIZE) * 0x9e3779b97f4a7c15u >> 48) % PLAIN_BITS;
}

static void keep_plain(uintptr_t address, size_t size, bool writes) {
    uintptr_t granule = address & ~(uintptr_t)(GRANULE_SIZE - 1);
    plainly_everywhere |= size > PLAIN_BITS;
    for (; granule < address + size && !plainly_everywhere; granule += GRANULE_SIZE) {
        uint32_t bit = plain_bit(granule);
        plainly[writes][bit / 8] |= (uint8_t)(1 << bit % 8);
    }
}

/* Perhaps some thread has done what races with it. */
static bool was_plain(const void_read *r) {
    uint32_t bit = plain_bit(r->address);
    uint8_t found = plainly[true][bit / 8] | (r->writes ? plainly[false][bit / 8] : 0);
    return plainly_everywhere || found >> bit % 8 & 1;
}

static void execute_rounds(enum spin_once how) {
    if (how > spin_once) {
        spin_once = how;
        target_make_stale(space.target);
    }
}

/* The round would be executed by another thread, which is not ordered before the present access,
 * nor after it. */
static bool is_apart(const runtime_thread *t, const void_read *r) {
    const runtime_thread *other = &runtime.threads[r->thread];
    CHECK(r->mutex <= syncs.count && r->thread < RUNTIME_MAX_THREADS);
    bool guarded = r->mutex && sync_owned(t, r->mutex - 1);
    bool created_later = other->status == THREAD_NONE && r->creator == t->number;
    return other != t && !guarded && !created_later &&
           !(other->status != THREAD_NONE && race_has_seen(t, other));
}

static bool overlaps(const void_read *r, uintptr_t address, size_t size) {
    uintptr_t low = r->address + (uintptr_t)__builtin_ctz(r->bytes);
    uintptr_t high = r->address + 32 - (uintptr_t)__builtin_clz(r->bytes);
    return low < address + size && address < high;
}

void spin_reads_note_write(const runtime_thread *t, uintptr_t address, size_t size) {
    for (uint32_t i = 0; i < void_reads.count && !spin_once; i++) {
        const void_read *r = &vector_at(&void_reads, i);
        if (!r->atomic && overlaps(r, address, size) && is_apart(t, r)) {
            execute_rounds(SPIN_ONCE_PLAIN);
        }
    }
}

void spin_reads_note_plain(const runtime_thread *t, uintptr_t address, size_t size, bool writes) {
    keep_plain(address, size, writes);
    for (uint32_t i = 0; i < void_reads.count && spin_once != SPIN_ONCE_ALL; i++) {
        const void_read *r = &vector_at(&void_reads, i);
        if ((writes || r->writes) && overlaps(r, address, size) && is_apart(t, r)) {
            execute_rounds(r->atomic ? SPIN_ONCE_ALL : SPIN_ONCE_PLAIN);
        }
    }
}

/* A mutex (+ 1) that the thread holds all the time while it goes round. */
static uint32_t find_held(const runtime_thread *t) {
    for (uint32_t i = 0; i < syncs.count; i++) {
        if (sync_owned(t, i)) {
            return i + 1;
        }
    }
    return 0;
}

static void learn(const void_read *r) {
    for (uint32_t i = 0; i < void_reads.count; i++) {
        const void_read *other = &vector_at(&void_reads, i);
        if (other->address == r->address && other->bytes == r->bytes &&
            other->atomic == r->atomic && other->writes == r->writes &&
            other->thread == r->thread && other->mutex == r->mutex) {
            return;
        }
    }
    vector_push(&void_reads, *r);
    if (!r->atomic || was_plain(r)) {
        target_make_stale(space.target);
    }
}

void spin_reads_learn(const runtime_thread *t, const spin_outcome *o) {
    const spin_read *list = spin_reads_of(o);
    for (uint32_t i = 0; i < o->read_count; i++) {
        bool atomic = list[i].looked && !list[i].plain;
        if (!list[i].bytes || list[i].hidden || !(list[i].plain || atomic)) {
            continue;
        }
        uint32_t mutex = list[i].guarded ? o->mutex : find_held(t);
        learn(&(void_read){.address = list[i].address,
                           .bytes = list[i].bytes,
                           .atomic = atomic,
                           .writes = atomic && list[i].writes,
                           .thread = t->number,
                           .creator = t->creator,
                           .mutex = mutex});
    }
}

uint32_t spin_polled(const runtime_thread *t) {
    const spin_outcome *o = t->spin_state == SPIN_NONE ? NULL : spin_find_outcome(t->spin_state);
    const spin_read *list = o ? spin_reads_of(o) : NULL;
    uint32_t object = 0;
    bool section = t->pending.kind == OPERATION_ATOMIC;
    for (uint32_t i = 0; o && (o->mutex || section) && i < o->read_count; i++) {
        if ((section ? list[i].looked : list[i].plain) && list[i].bytes) {
            uintptr_t address = list[i].address + (uintptr_t)__builtin_ctz(list[i].bytes);
            object = space_object(address) | OBJECT_OFFSET(address);
        }
    }
    return object;
}
