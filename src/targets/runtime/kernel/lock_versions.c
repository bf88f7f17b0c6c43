#include "targets/runtime/kernel/lock_versions.h"

#include "targets/runtime/kernel/spin.h"
#include "targets/runtime/kernel/spin_places.h"
#include "targets/runtime/kernel/spin_sync.h"
#include "targets/runtime/kernel/undo.h"
#include "targets/runtime/memory/space.h"
#include "targets/runtime/sync/sync.h"

typedef struct lock_changes {
    uint32_t generation; /* how often it was initialised */
    uint32_t count;      /* how often it was taken or given since */
} lock_changes;

enum { SHOWN_OWNER = INT32_MAX };

static VECTOR(lock_changes) locks; /* by synchronisation object */
static uint32_t shown; /* the object that is shown as held, or 0; who has it, and how often */
static uint32_t shown_owner, shown_count;

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

static bool is_held(uint32_t sync, uint32_t choice) {
    if (!runtime.versions || choice == CHOICE_NONE) {
        return false;
    }
    CHECK(choice <= changes_of(sync).count);
    return (changes_of(sync).count - choice) % 2 == 1;
}

bool lock_versions_find_held(const runtime_thread *t, uint32_t sync) {
    return is_held(sync, t->choice);
}

static uint32_t sync_of(const runtime_thread *t) {
    const sync_object *s = sync_by_object(t->pending.object);
    return s ? (uint32_t)(s - syncs.objects) : 0;
}

/* Of a pending attempt: an alternative with which it fails, or CHOICE_NONE. */
static uint32_t held_alternative(const runtime_thread *t) {
    uint32_t count = changes_of(sync_of(t)).count;
    return count % 2 ? 0 : count ? 1 : CHOICE_NONE;
}

static bool looks_at_value(enum operation_kind kind) {
    return kind == OPERATION_SEMAPHORE_LOOK;
}

bool lock_versions_try_other(enum operation_kind kind) {
    bool tries = operation_has_role(kind, ROLE_TRIES) && operation_has_role(kind, ROLE_OPAQUE);
    return tries || looks_at_value(kind);
}

bool lock_versions_may_ask(enum operation_kind kind) {
    return operation_has_role(kind, ROLE_TRIES) || looks_at_value(kind);
}

/* It would fail if it found the state (core/operation.h). */
static bool would_fail(enum operation_kind kind, uint64_t state) {
    uint64_t made;
    return operation_makes(kind, 0, state, &made) && made == state;
}

bool lock_versions_fails(const runtime_thread *t) {
    return unlikely(runtime.versions) && t->choice != CHOICE_NONE;
}

uint32_t lock_versions_find_value(const runtime_thread *t, uint32_t sync) {
    return lock_versions_fails(t) ? t->choice : sync_object_at(sync)->count;
}

void lock_versions_show(const runtime_thread *t, uint32_t choice) {
    bool other = lock_versions_try_other(t->pending.kind);
    uint32_t sync = sync_of(t);
    CHECK(!shown);
    if (other ? sync && choice != CHOICE_NONE : is_held(sync, choice)) {
        sync_object *s = sync_object_at(sync);
        shown = sync;
        shown_owner = s->owner;
        shown_count = s->count;
        s->owner = operation_has_role(t->pending.kind, ROLE_TAKES) ? SHOWN_OWNER : 0;
        s->count = looks_at_value(t->pending.kind) ? choice : other ? 0 : s->count;
    }
}

void lock_versions_hide(void) {
    if (shown) {
        sync_object_at(shown)->owner = shown_owner;
        sync_object_at(shown)->count = shown_count;
        shown = 0;
    }
}

void lock_versions_offer(runtime_thread *t) {
    uint32_t sync = sync_of(t);
    t->pending.choice_count = sync ? changes_of(sync).count + 1 : 0;
    t->pending.choices = NULL;
}

void lock_versions_poll(runtime_thread *t) {
    CHECK(runtime.versions && runtime.spinning && spin_is_lock(t->pending.kind));
    uint8_t mark = SPIN_MARK_LOOP | SPIN_MARK_WAITS | SPIN_MARK_POLLS;
    if (spin_add_mark(t->pending.location, mark)) {
        space.target->polls = true;
        target_make_stale(space.target);
    }
    t->pending.flags |= OPERATION_SPINS;
    runtime_set_enabled(t, false);
}

bool lock_versions_wait(runtime_thread *t, uint64_t old) {
    enum operation_kind kind = t->pending.kind;
    if (spin_is_lock(kind)) {
        runtime_update(t); /* it is free, whatever it waits for */
        return runtime.spinning && spin_waits(t, CHOICE_NONE);
    }
    if (looks_at_value(kind)) {
        return spin_waits(t, (uint32_t)old);
    }
    if (kind == OPERATION_TRYLOCK) {
        return old && spin_waits(t, held_alternative(t));
    }
    CHECK(lock_versions_try_other(kind));
    return would_fail(kind, old) && spin_waits(t, 0);
}

void lock_versions_visit(void (*visit)(const char *name, uint32_t number, const void *, size_t)) {
    for (uint32_t i = 0; i < locks.count; i++) {
        const lock_changes *c = &vector_at(&locks, i);
        if (c->generation || c->count) {
            visit("versions of a lock", i, c, sizeof *c);
        }
    }
}
