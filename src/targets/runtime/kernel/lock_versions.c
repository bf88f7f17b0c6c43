#include "targets/runtime/kernel/lock_versions.h"

#include "targets/runtime/kernel/undo.h"
#include "targets/runtime/sync/sync.h"

typedef struct lock_changes {
    uint32_t generation; /* how often it was initialised */
    uint32_t count;      /* how often it was taken or given since */
} lock_changes;

static VECTOR(lock_changes) locks; /* by synchronisation object */

void lock_versions_close(void) {
    vector_free(&locks);
}

void lock_versions_reset(void) {
    vector_clear(&locks);
}

static lock_changes changes_of(uint32_t sync) {
    return sync < locks.count ? vector_at(&locks, sync) : (lock_changes){0};
}

static lock_changes *change(uint32_t sync) {
    while (locks.count <= sync) {
        vector_push(&locks, (lock_changes){0});
    }
    undo_items(&locks.items, sync * sizeof *locks.items, sizeof *locks.items);
    return &vector_at(&locks, sync);
}

void lock_versions_add(uint32_t sync) {
    change(sync)->count++;
}

void lock_versions_begin(uint32_t sync) {
    lock_changes *c = change(sync);
    *c = (lock_changes){.generation = c->generation + 1};
}

uint32_t lock_versions_generation(uint32_t sync) {
    return changes_of(sync).generation;
}

bool lock_versions_find_held(const runtime_thread *t, uint32_t sync) {
    if (!runtime.versions || t->choice == CHOICE_NONE) {
        return false;
    }
    CHECK(t->choice <= changes_of(sync).count);
    return (changes_of(sync).count - t->choice) % 2 == 1;
}

void lock_versions_offer(runtime_thread *t) {
    const sync_object *s = sync_by_object(t->pending.object);
    t->pending.choice_count = s ? changes_of((uint32_t)(s - syncs.objects)).count + 1 : 0;
    t->pending.choices = NULL;
}

void lock_versions_visit(void (*visit)(const char *name, uint32_t number, const void *, size_t)) {
    for (uint32_t i = 0; i < locks.count; i++) {
        const lock_changes *c = &vector_at(&locks, i);
        if (c->generation || c->count) {
            visit("versions of a lock", i, c, sizeof *c);
        }
    }
}
