/* Mutexes. Whether a thread owns a mutex is known to itself alone, so recursive locking, error
 * checking and a wrong unlock are no events; only the outermost lock and unlock are. */
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "runtime/location.h"
#include "runtime/mutex.h"
#include "runtime/race.h"
#include "runtime/section.h"
#include "runtime/symbols.h"

enum { MUTEX_KIND_MASK = 3 };

static bool owns(const runtime_thread *t, uint32_t index) {
    return syncs.objects[index].owner == t->number + 1;
}

/* As in glibc: until it is initialised anew, by whatever means. */
#define MUTEX_DESTROYED (-1)

static int kind_of(const pthread_mutex_t *mutex) {
    return mutex->__data.__kind & MUTEX_KIND_MASK;
}

void mutex_take(runtime_thread *t, uint32_t index) {
    sync_object *s = &syncs.objects[index];
    s->owner = t->number + 1;
    s->depth = 0;
    if (likely(!section_tried())) {
        race_acquire(t, s);
    }
}

void mutex_give(runtime_thread *t, uint32_t index) {
    sync_object *s = &syncs.objects[index];
    if (likely(!section_tried())) {
        race_release(t, s);
    }
    s->owner = 0;
}

bool mutex_owned(const runtime_thread *t, uint32_t index) {
    return owns(t, index);
}

void mutex_arrive(runtime_thread *t, uint32_t index) {
    t->acquired = !syncs.objects[index].owner;
}

static bool is_destroyed(const pthread_mutex_t *mutex) {
    return mutex->__data.__kind == MUTEX_DESTROYED;
}

void mutex_check_usable(runtime_thread *t, uint32_t index, uint32_t location) {
    sync_check(t, (const void *)syncs.objects[index].address, location);
    if (unlikely(is_destroyed((const pthread_mutex_t *)syncs.objects[index].address))) {
        runtime_fail(t, ERROR_MISUSE, location, "use of a mutex that was destroyed");
    }
}

/* The memory that says of what kind a mutex is; an unlock in error looks at nothing else. */
static footprint kind_footprint(const pthread_mutex_t *mutex, uint8_t mode) {
    return space_footprint((uintptr_t)&mutex->__data.__kind, sizeof mutex->__data.__kind, mode);
}

/* Init and destroy are steps too: their order with a lock matters to whoever gets it wrong. */
static uint32_t announce_change(runtime_thread *t, const pthread_mutex_t *mutex,
                                enum operation_kind kind, uint32_t location) {
    uint32_t index = sync_at(mutex, SYNC_MUTEX);
    access changed[] = {footprint_access(sync_footprint(index), 0),
                        footprint_access(kind_footprint(mutex, ACCESS_WRITE), 0)};
    if (t->section_depth) {
        section_sync(t, index, "initialising or destroying a mutex", location);
        section_access(t, (uintptr_t)mutex, sizeof *mutex, ACCESS_WRITE,
                       kind_footprint(mutex, ACCESS_WRITE), location);
    } else {
        runtime_prepare(t, kind, syncs.objects[index].object, footprint_of(changed, 2), location);
        runtime_park(t);
    }
    mutex_arrive(t, index);
    return index;
}

/* The kind of a mutex that the thread does not hold: others may be about to initialise it. */
static int announce_kind(runtime_thread *t, const pthread_mutex_t *mutex, uint32_t index,
                         uint32_t location) {
    if (t->section_depth) {
        section_access(t, (uintptr_t)mutex, 0, ACCESS_READ, kind_footprint(mutex, ACCESS_READ),
                       location);
    } else {
        runtime_prepare(t, OPERATION_READ, syncs.objects[index].object,
                        kind_footprint(mutex, ACCESS_READ), location);
        runtime_park(t);
    }
    return kind_of(mutex);
}

int heddle_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
    runtime_thread *t = runtime.current;
    int kind = PTHREAD_MUTEX_DEFAULT;
    if (attributes) {
        pthread_mutexattr_gettype(attributes, &kind);
    }
    if (t) {
        uint32_t location = LOCATION_HERE();
        uint32_t index = announce_change(t, mutex, OPERATION_INIT, location);
        if (syncs.objects[index].owner) {
            runtime_fail(t, ERROR_MISUSE, location, "initialisation of a mutex that is locked");
        }
        section_log((uintptr_t)mutex, sizeof *mutex);
    }
    memset(mutex, 0, sizeof *mutex);
    mutex->__data.__kind = kind & MUTEX_KIND_MASK;
    return 0;
}

int heddle_pthread_mutex_destroy(pthread_mutex_t *mutex) {
    runtime_thread *t = runtime.current;
    if (!t) {
        return 0;
    }
    uint32_t location = LOCATION_HERE();
    uint32_t index = announce_change(t, mutex, OPERATION_DESTROY, location);
    if (syncs.objects[index].owner) {
        runtime_fail(t, ERROR_MISUSE, location, "destruction of a mutex that is locked");
    }
    mutex_check_usable(t, index, location);
    section_log((uintptr_t)mutex, sizeof *mutex);
    mutex->__data.__kind = MUTEX_DESTROYED;
    return 0;
}

static FIBER_RETURN int lock(pthread_mutex_t *mutex, uint32_t location) {
    runtime_thread *t = runtime.current;
    int kind = kind_of(mutex);
    uint32_t index = sync_at(mutex, SYNC_MUTEX);
    if (unlikely(t->section_depth)) {
        section_sync(t, index, "pthread_mutex_lock", location);
    }
    if (unlikely(owns(t, index)) && kind == PTHREAD_MUTEX_RECURSIVE) {
        syncs.objects[index].depth++;
        return 0;
    }
    if (unlikely(owns(t, index)) && kind == PTHREAD_MUTEX_ERRORCHECK) {
        return EDEADLK;
    }
    if (likely(!t->section_depth)) {
        runtime_prepare(t, OPERATION_LOCK, syncs.objects[index].object, sync_footprint(index),
                        location);
        t->pending.flags |= OPERATION_ACQUIRES;
        t->mutex = index;
        t->refresh = REFRESH_LOCK;
        runtime_park(t);
    } else if (syncs.objects[index].owner) {
        section_block(t);
    }
    mutex_arrive(t, index);
    mutex_check_usable(t, index, location);
    mutex_take(t, index);
    return 0;
}

int heddle_pthread_mutex_lock(pthread_mutex_t *mutex) {
    if (unlikely(!runtime.current)) {
        return 0;
    }
    runtime_before_park();
    return lock(mutex, LOCATION_HERE());
}

static int try_lock(pthread_mutex_t *mutex, int refusal, uint32_t location) {
    runtime_thread *t = runtime.current;
    if (!t) {
        return 0;
    }
    int kind = kind_of(mutex);
    uint32_t index = sync_at(mutex, SYNC_MUTEX);
    if (unlikely(t->section_depth)) {
        section_sync(t, index, "pthread_mutex_trylock", location);
    }
    if (owns(t, index) && kind == PTHREAD_MUTEX_RECURSIVE) {
        syncs.objects[index].depth++;
        return 0;
    }
    if (likely(!t->section_depth)) {
        runtime_prepare(t, OPERATION_TRYLOCK, syncs.objects[index].object, sync_footprint(index),
                        location);
        runtime_park(t);
    }
    mutex_arrive(t, index);
    mutex_check_usable(t, index, location);
    if (syncs.objects[index].owner) {
        return refusal;
    }
    mutex_take(t, index);
    t->value = 1;
    return 0;
}

int heddle_pthread_mutex_trylock(pthread_mutex_t *mutex) {
    return try_lock(mutex, EBUSY, LOCATION_HERE());
}

/* A timed lock may time out whenever it would have to wait: it is a trylock. */
int heddle_pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *time) {
    (void)time;
    return try_lock(mutex, ETIMEDOUT, LOCATION_HERE());
}

int heddle_pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock,
                                   const struct timespec *time) {
    (void)clock;
    (void)time;
    return try_lock(mutex, ETIMEDOUT, LOCATION_HERE());
}

static FIBER_RETURN int unlock(pthread_mutex_t *mutex, uint32_t location) {
    runtime_thread *t = runtime.current;
    uint32_t index = sync_at(mutex, SYNC_MUTEX);
    if (unlikely(t->section_depth)) {
        section_sync(t, index, "pthread_mutex_unlock", location);
    }
    if (unlikely(!owns(t, index))) {
        int kind = announce_kind(t, mutex, index, location);
        if (kind != PTHREAD_MUTEX_NORMAL && kind != PTHREAD_MUTEX_ADAPTIVE_NP) {
            return EPERM;
        }
        runtime_fail(t, ERROR_MISUSE, location, "unlock of a mutex that the thread does not hold");
    }
    if (syncs.objects[index].depth) {
        syncs.objects[index].depth--;
        return 0;
    }
    if (likely(!t->section_depth)) {
        runtime_prepare(t, OPERATION_UNLOCK, syncs.objects[index].object, sync_footprint(index),
                        location);
        runtime_park(t);
    }
    sync_check(t, mutex, location);
    mutex_give(t, index);
    return 0;
}

int heddle_pthread_mutex_unlock(pthread_mutex_t *mutex) {
    if (unlikely(!runtime.current)) {
        return 0;
    }
    runtime_before_park();
    return unlock(mutex, LOCATION_HERE());
}
