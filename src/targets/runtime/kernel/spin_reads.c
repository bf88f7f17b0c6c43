#include "targets/runtime/kernel/spin_reads.h"

#include "base/vector.h"
#include "targets/runtime/kernel/spin.h"
#include "targets/runtime/memory/space.h"
#include "targets/runtime/sync/sync.h"

bool spin_once;

typedef struct void_read {
    uintptr_t address;
    uint8_t bytes;
    uint32_t thread, creator, mutex;
} void_read;

static VECTOR(void_read) void_reads;

void spin_reads_close(void) {
    vector_free(&void_reads);
    spin_once = false;
}

/* A thread writes what another one reads in rounds that are left out, without the mutex that is
 * held in these. */
void spin_reads_note_write(const runtime_thread *t, uintptr_t address, size_t size) {
    for (uint32_t i = 0; i < void_reads.count && !spin_once; i++) {
        const void_read *r = &vector_at(&void_reads, i);
        CHECK(r->mutex <= syncs.count && r->thread < RUNTIME_MAX_THREADS);
        bool meets = r->address < address + size && address < r->address + 8;
        bool guarded = r->mutex && sync_owned(t, r->mutex - 1);
        bool created_later =
            runtime.threads[r->thread].status == THREAD_NONE && r->creator == t->number;
        if (meets && r->thread != t->number && !guarded && !created_later) {
            spin_once = true;
            target_make_stale(space.target);
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

void spin_reads_learn(const runtime_thread *t, const spin_outcome *o) {
    const spin_read *list = spin_reads_of(o);
    for (uint32_t i = 0; i < o->read_count; i++) {
        if (!list[i].plain) {
            continue;
        }
        uint32_t mutex = list[i].guarded ? o->mutex : find_held(t);
        void_read r = {list[i].address, list[i].bytes, t->number, t->creator, mutex};
        bool known = false;
        for (uint32_t k = 0; k < void_reads.count && !known; k++) {
            const void_read *other = &vector_at(&void_reads, k);
            known =
                other->address == r.address && other->thread == r.thread && other->mutex == r.mutex;
        }
        if (!known) {
            vector_push(&void_reads, r);
            target_make_stale(space.target);
        }
    }
}

uint32_t spin_polled(const runtime_thread *t) {
    const spin_outcome *o = t->spin_state == SPIN_NONE ? NULL : spin_find_outcome(t->spin_state);
    const spin_read *list = o ? spin_reads_of(o) : NULL;
    uint32_t object = 0;
    for (uint32_t i = 0; o && o->mutex && i < o->read_count; i++) {
        if (list[i].plain && list[i].bytes) {
            uintptr_t address = list[i].address + (uintptr_t)__builtin_ctz(list[i].bytes);
            object = space_object(address) | OBJECT_OFFSET(address);
        }
    }
    return object;
}
