#include "targets/runtime/kernel/spin_tried.h"

#include "base/vector.h"
#include "targets/runtime/kernel/passing.h"
#include "targets/runtime/kernel/spin.h"
#include "targets/runtime/memory/hidden.h"
#include "targets/runtime/memory/space.h"
#include "targets/runtime/sync/sync.h"

enum { MOST_READS = 256 }; /* of a step, of different granules */

static VECTOR(spin_read) reads;
static bool guarded;

void spin_tried_close(void) {
    vector_free(&reads);
}

void spin_tried_start(bool locks) {
    vector_clear(&reads);
    guarded = locks;
}

void spin_tried_unlocks(void) {
    guarded = false;
}

static void add_read(spin_read r) {
    for (uint32_t i = 0; i < reads.count; i++) {
        spin_read *known = &vector_at(&reads, i);
        if (known->address == r.address && known->bytes == r.bytes && known->hidden == r.hidden) {
            known->guarded = known->guarded && r.guarded;
            known->looked = known->looked || r.looked;
            known->writes = known->writes || r.writes;
            return;
        }
    }
    if (reads.count == MOST_READS) {
        spin_effect();
        return;
    }
    vector_push(&reads, r);
}

void spin_tried_read(uintptr_t address, size_t size, bool made) {
    while (size) {
        uintptr_t granule = address & ~(uintptr_t)7;
        size_t part = granule + 8 - address < size ? granule + 8 - address : size;
        uint8_t bytes = (uint8_t)(((1u << part) - 1) << (address & 7));
        add_read((spin_read){.address = granule,
                             .value = spin_value(granule, bytes),
                             .bytes = bytes,
                             .plain = true,
                             .made = made,
                             .guarded = guarded});
        address += part;
        size -= part;
    }
}

bool spin_looks_at_sync(uint8_t kind) {
    return operation_has_role(kind, ROLE_REPEATS) &&
           operation_has_role(kind, ROLE_OPAQUE | ROLE_TAKES);
}

/* A plain access that is a step: because it races, is volatile, or all are. */
static bool is_plain(const runtime_thread *t) {
    uint8_t kind = t->pending.kind;
    bool atomic =
        t->atomic_location == t->pending.location || runtime.settings.volatiles == VOLATILES_ATOMIC;
    return passing_is_promoted(t->pending.location) ||
           ((kind == OPERATION_READ || kind == OPERATION_WRITE) && !atomic);
}

void spin_tried_operation(const runtime_thread *t) {
    const operation *op = &t->pending;
    bool sync = spin_looks_at_sync(op->kind), plain = is_plain(t);
    for (uint32_t i = 0; i < footprint_count(op->footprint); i++) {
        memory_access a = footprint_access(op->footprint, i);
        enum hidden_part part;
        if (sync && a.object == op->object) {
            continue;
        }
        if (hidden_find(a.object, &part)) {
            add_read((spin_read){.address = part, .value = hidden_value(part), .hidden = true});
            continue;
        }
        uintptr_t granule = space_object_address(a.object);
        CHECK(a.bytes && reads.count <= MOST_READS);
        add_read((spin_read){.address = granule,
                             .value = spin_value(granule, a.bytes),
                             .bytes = a.bytes,
                             .plain = plain,
                             .guarded = plain && guarded,
                             .writes = (a.mode & ACCESS_WRITE) != 0,
                             .looked = true});
    }
    if (sync) {
        CHECK(t->spin_sync && t->spin_sync < syncs.count); /* spin_find_sync has set it */
        add_read((spin_read){
            .address = t->spin_sync, .value = spin_sync_value(t->spin_sync), .looked = true});
    }
}

void spin_tried_keep(uint32_t state, spin_outcome *found) {
    for (uint32_t i = 0; i < reads.count; i++) {
        found->reads_plain |= vector_at(&reads, i).plain;
    }
    found->read_count = reads.count;
    spin_add_outcome(state, found, reads.items);
}
