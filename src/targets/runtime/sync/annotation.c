#include "targets/runtime/sync/annotation.h"

#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/state.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/race/race.h"
#include "targets/runtime/sync/benign.h"

typedef struct annotation {
    uintptr_t address;
    uint32_t object;
    uint32_t clock; /* row of the race detector in this execution, or 0 */
    uint32_t owner; /* of a lock: the thread that has it alone + 1, or 0 */
} annotation;

static VECTOR(annotation) known;

void annotation_reset(void) {
    for (uint32_t i = 0; i < known.count; i++) {
        vector_at(&known, i).clock = vector_at(&known, i).owner = 0;
    }
    benign_reset();
}

void annotation_close(void) {
    vector_free(&known);
    benign_close();
}

void annotation_pass(struct state_cursor *c) {
    uint32_t count = known.count;
    STATE_PASS(c, count);
    CHECK(count <= known.count); /* none is ever forgotten */
    for (uint32_t i = 0; i < count; i++) {
        STATE_PASS(c, vector_at(&known, i).clock);
        STATE_PASS(c, vector_at(&known, i).owner);
    }
    benign_pass(c);
}

void annotation_visit(void (*visit)(const char *name, uint32_t number, const void *, size_t)) {
    for (uint32_t i = 0; i < known.count; i++) {
        visit("clock of an annotation", i, &vector_at(&known, i).clock, sizeof(uint32_t));
        visit("owner of an annotated lock", i, &vector_at(&known, i).owner, sizeof(uint32_t));
    }
    benign_visit(visit);
}

static uint32_t find(const volatile void *place) {
    uintptr_t address = (uintptr_t)place;
    for (uint32_t i = 0; i < known.count; i++) {
        if (vector_at(&known, i).address == address) {
            return i;
        }
    }
    vector_push(&known, (annotation){.address = address, .object = space_new_number(address)});
    return known.count - 1;
}

uint32_t annotation_object(uintptr_t address) {
    uint32_t index = find((const volatile void *)address); /* it may add the element */
    return vector_at(&known, index).object;
}

bool annotation_find(uint32_t object, uintptr_t *address) {
    for (uint32_t i = 0; i < known.count; i++) {
        if (vector_at(&known, i).object == object) {
            *address = vector_at(&known, i).address;
            return true;
        }
    }
    return false;
}

/* The step; false: it is left out, because all of a section is one step that orders nothing, or
 * because a weak memory model knows itself what is ordered. */
static bool announce(uint32_t index, uint32_t location) {
    runtime_thread *t = runtime.current;
    if (!t || t->section_depth || runtime.versions) {
        return false;
    }
    uint32_t object = vector_at(&known, index).object;
    CHECK(object); /* never that of memory: it has a number of its own */
    runtime_prepare(t, OPERATION_CHANGE, object,
                    footprint_single((memory_access){
                        .object = object, .bytes = ACCESS_ALL_BYTES, .mode = ACCESS_READ_WRITE}),
                    location);
    runtime_park(t);
    return true;
}

static annotation *change(uint32_t index) {
    CHECK(vector_at(&known, index).owner <= runtime.thread_count);
    undo_items(&known.items, index * sizeof *known.items, sizeof *known.items);
    return &vector_at(&known, index);
}

void annotation_release(const volatile void *place, uint32_t location) {
    uint32_t index = find(place);
    if (announce(index, location)) {
        annotation *a = change(index);
        a->clock = race_release_row(runtime.current, a->clock);
    }
}

void annotation_acquire(const volatile void *place, uint32_t location) {
    uint32_t index = find(place);
    if (announce(index, location)) {
        race_acquire_row(runtime.current, vector_at(&known, index).clock);
    }
}

void annotation_forget(const volatile void *place, uint32_t location) {
    uint32_t index = find(place);
    if (announce(index, location)) {
        change(index)->clock = 0;
    }
}

void __tsan_acquire(void *place);
void __tsan_release(void *place);

void __tsan_acquire(void *place) {
    annotation_acquire(place, LOCATION_HERE());
}

void __tsan_release(void *place) {
    annotation_release(place, LOCATION_HERE());
}

/* ---- locks of the program's own, by the names of TSan's header ---- */

enum { MUTEX_READ_LOCK = 8, MUTEX_TRY_FAILED = 32 };

/* What readers release is for writers alone: it has an object of its own, that of the next byte. */
static const volatile char *readers_of(const volatile void *lock) {
    return (const volatile char *)lock + 1;
}

void annotation_lock(const volatile void *lock, bool shared, uint32_t location) {
    annotation_acquire(lock, location);
    if (!shared && runtime.current) {
        change(find(lock))->owner = runtime.current->number + 1;
        annotation_acquire(readers_of(lock), location);
    }
}

void annotation_unlock(const volatile void *lock, bool shared, uint32_t location) {
    if (!shared) {
        change(find(lock))->owner = 0;
    }
    annotation_release(shared ? readers_of(lock) : lock, location);
}

bool annotation_is_owner(const volatile void *lock) {
    uint32_t index = find(lock);
    return runtime.current && vector_at(&known, index).owner == runtime.current->number + 1;
}

void __tsan_mutex_post_lock(void *mutex, unsigned flags, int recursion);
int __tsan_mutex_pre_unlock(void *mutex, unsigned flags);

void __tsan_mutex_post_lock(void *mutex, unsigned flags, int recursion) {
    (void)recursion;
    if (!(flags & MUTEX_TRY_FAILED)) {
        annotation_lock(mutex, flags & MUTEX_READ_LOCK, LOCATION_HERE());
    }
}

int __tsan_mutex_pre_unlock(void *mutex, unsigned flags) {
    annotation_unlock(mutex, flags & MUTEX_READ_LOCK, LOCATION_HERE());
    return 0;
}

/* The race detector does not need the other ones. */
#define NOTHING(name)                        \
    void name(void *mutex, unsigned flags);  \
    void name(void *mutex, unsigned flags) { \
        (void)mutex, (void)flags;            \
    }

NOTHING(__tsan_mutex_create)
NOTHING(__tsan_mutex_destroy)
NOTHING(__tsan_mutex_pre_lock)
NOTHING(__tsan_mutex_post_unlock)
NOTHING(__tsan_mutex_pre_signal)
NOTHING(__tsan_mutex_post_signal)
NOTHING(__tsan_mutex_pre_divert)
NOTHING(__tsan_mutex_post_divert)
#undef NOTHING

/* ---- by the names of dynamic_annotations.h, which TSan's library has ---- */

void heddle_AnnotateHappensBefore(const char *file, int line, const volatile void *place) {
    (void)file, (void)line;
    annotation_release(place, LOCATION_HERE());
}

void heddle_AnnotateHappensAfter(const char *file, int line, const volatile void *place) {
    (void)file, (void)line;
    annotation_acquire(place, LOCATION_HERE());
}

void heddle_AnnotateRWLockAcquired(const char *file, int line, const volatile void *lock,
                                   long is_writer) {
    (void)file, (void)line;
    annotation_lock(lock, !is_writer, LOCATION_HERE());
}

void heddle_AnnotateRWLockReleased(const char *file, int line, const volatile void *lock,
                                   long is_writer) {
    (void)file, (void)line;
    annotation_unlock(lock, !is_writer, LOCATION_HERE());
}

void heddle_AnnotateBenignRace(const char *file, int line, const volatile void *place,
                               const char *reason) {
    (void)file, (void)line, (void)reason;
    benign_begin((uintptr_t)place, 1);
}

void heddle_AnnotateBenignRaceSized(const char *file, int line, const volatile void *place,
                                    size_t size, const char *reason) {
    (void)file, (void)line, (void)reason;
    benign_begin((uintptr_t)place, size);
}

/* Also under the names of those that take more. */
void heddle_AnnotateFlushState(const char *file, int line) {
    (void)file, (void)line;
}
