#include "targets/runtime/kernel/spin_sync.h"

#include <limits.h>

#include "targets/runtime/kernel/spin_tried.h"
#include "targets/runtime/sync/sync.h"

/* A post never fails while others hold so few. */
enum { SPIN_MOST_UNITS = SEM_VALUE_MAX / 2 };

bool spin_is_lock(uint8_t kind) {
    bool takes = operation_has_role(kind, ROLE_TAKES) && operation_has_role(kind, ROLE_REPEATS) &&
                 !operation_has_role(kind, ROLE_TRIES);
    return takes || kind == OPERATION_SEMAPHORE_WAIT;
}

bool spin_is_semaphore(uint8_t kind) {
    return kind == OPERATION_SEMAPHORE_WAIT || kind == OPERATION_SEMAPHORE_TRY;
}

bool spin_takes_sync(const runtime_thread *t) {
    uint8_t kind = t->pending.kind;
    if (!spin_is_lock(kind) &&
        (!operation_has_role(kind, ROLE_TRIES) || !spin_looks_at_sync(kind))) {
        return false;
    }
    const sync_object *s = sync_object_at(t->spin_sync);
    bool alone = kind == OPERATION_WRITE_LOCK || kind == OPERATION_TRY_WRITE_LOCK;
    return !s->owner && !(alone && s->count) && !(spin_is_semaphore(kind) && !s->count) &&
           (spin_is_lock(kind) || !runtime.versions);
}

bool spin_find_usual(runtime_thread *t) {
    bool owned = t->pending.kind == OPERATION_LOCK || t->pending.kind == OPERATION_TRYLOCK;
    const sync_object *s = sync_by_object(t->pending.object);
    if (!s || (owned && (!s->class->is_usual || !s->class->is_usual(s)))) {
        return false;
    }
    t->spin_sync = (uint32_t)(s - syncs.objects);
    CHECK(t->spin_sync < syncs.count);
    return true;
}

bool spin_find_sync(runtime_thread *t) {
    if (!spin_looks_at_sync(t->pending.kind)) {
        return true;
    }
    if (!spin_find_usual(t)) {
        return false;
    }
    const sync_object *s = sync_object_at(t->spin_sync);
    if (!spin_takes_sync(t)) {
        return !spin_is_lock(t->pending.kind);
    }
    bool seen = s->observer && s->observer != t->number + 1;
    return !seen && !(spin_is_semaphore(t->pending.kind) && s->count > SPIN_MOST_UNITS);
}
