/* Accesses to memory that synchronisation objects lie in: a write over them is like their
 * initialisation, and what is read of them, to be copied, is whether they are held. */
#include "targets/runtime/kernel/access.h"
#include "targets/runtime/kernel/spin.h"
#include "targets/runtime/memory/space.h"
#include "targets/runtime/sync/sync.h"

/* What the thread itself holds is locked whatever others do. */
static bool matters(uint32_t index, uint8_t mode) {
    return mode & ACCESS_WRITE || (!runtime.versions && !sync_owned(runtime.current, index));
}

bool access_has_syncs(uintptr_t start, size_t size, uint8_t mode) {
    bool found = false;
    sync_cursor c = {0};
    for (uint32_t index; sync_may_lie_in(size) && !runtime.versions && !found &&
                         (index = sync_next(start, size, &c));) {
        found = matters(index, mode);
    }
    return found;
}

bool access_finds_unlocked(uintptr_t start, size_t size, uint8_t mode) {
    bool unlocked = true;
    sync_cursor c = {0};
    for (uint32_t index; (index = sync_next(start, size, &c));) {
        unlocked = unlocked && (sync_is_free(sync_object_at(index)) || !matters(index, mode));
    }
    return unlocked;
}

void access_add_syncs(uintptr_t start, size_t size, uint8_t mode) {
    sync_cursor c = {0};
    DEBUG_CHECK(mode && mode <= ACCESS_READ_WRITE);
    for (uint32_t index; (index = sync_next(start, size, &c));) {
        if (matters(index, mode)) {
            space_ranges_add_access(footprint_access(sync_footprint(index), 0));
        }
    }
}

/* The next object from `start` on whose state shows in its variable; NULL: there is none. */
static const sync_object *find_shown(uintptr_t start, size_t size) {
    const sync_object *first = NULL;
    sync_cursor c = {0};
    for (uint32_t index; (index = sync_next(start, size, &c));) {
        const sync_object *s = sync_object_at(index);
        if (s->class->life.shown && (!first || s->address < first->address)) {
            first = s;
        }
    }
    return first;
}

void access_note_read(runtime_thread *t, uintptr_t start, size_t size) {
    DEBUG_CHECK(runtime.spinning && t == runtime.current);
    for (uintptr_t end = start + size; start < end;) {
        const sync_object *s = find_shown(start, end - start);
        uintptr_t next = s ? s->address : end;
        if (next > start) {
            spin_note(t, start, next - start, ACCESS_READ);
        }
        start = s ? next + s->class->life.shown : end;
    }
}
