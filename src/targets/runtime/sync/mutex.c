/* Mutexes. Whether a thread owns a mutex is known to itself alone, so recursive locking, error
 * checking and a wrong unlock are no events; only the outermost lock and unlock are. */
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/lock_versions.h"
#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/spin.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/sync/clock.h"
#include "targets/runtime/sync/mutex.h"
#include "targets/runtime/sync/timeout.h"

enum { MUTEX_KIND_MASK = 3, MUTEX_ROBUST = 16, MUTEX_PROTECTS = 64 };

/* A robust mutex whose owner has ended: nobody has it yet, somebody has it and has to make its data
 * consistent, nobody did. */
enum { MUTEX_FINE, MUTEX_LEFT, MUTEX_INCONSISTENT, MUTEX_LOST };

_Static_assert((MUTEX_KIND_MASK & (PTHREAD_MUTEX_RECURSIVE | PTHREAD_MUTEX_ERRORCHECK |
                                   PTHREAD_MUTEX_ADAPTIVE_NP)) == MUTEX_KIND_MASK &&
                   !(MUTEX_KIND_MASK & MUTEX_ROBUST),
               "the kinds of glibc are the low bits, which robustness is not among");

/* The program has made one, in this execution or an earlier one. */
static bool any_robust;

static int kind_of(const pthread_mutex_t *mutex) {
    return mutex->__data.__kind & MUTEX_KIND_MASK;
}

/* The memory that says of what kind a mutex is; an unlock in error looks at nothing else. */
static footprint kind_footprint(const void *address, uint8_t mode) {
    const pthread_mutex_t *mutex = address;
    return space_footprint((uintptr_t)&mutex->__data.__kind, sizeof mutex->__data.__kind, mode);
}

/* Neither recursive nor checking nor robust. */
static bool is_usual(const sync_object *s) {
    const pthread_mutex_t *mutex = (const pthread_mutex_t *)s->address;
    return kind_of(mutex) == PTHREAD_MUTEX_NORMAL && !s->count && !s->phase;
}

/* glibc, too, marks a destroyed mutex by its kind. */
const sync_class mutex_class = {.name = "mutex",
                                .in_use = "is locked",
                                .changed = "initialising or destroying a mutex",
                                .is_enabled = sync_is_unowned,
                                .is_usual = is_usual,
                                .memory = kind_footprint,
                                .life = {.size = sizeof(pthread_mutex_t),
                                         .offset = offsetof(pthread_mutex_t, __data.__kind),
                                         .destroyed = UINT32_MAX,
                                         .shows_holders = true,
                                         .shown = 4}};

/* The thread, which does not hold the mutex, looks at it: it must be alive. Others may be about to
 * initialise it, which where versions are kept is a race (sync_race). */
static void look(runtime_thread *t, const pthread_mutex_t *mutex, uint32_t index,
                 enum operation_kind kind, uint32_t location) {
    if (t->section_depth) {
        section_access(t, (uintptr_t)mutex, 0, ACCESS_READ, kind_footprint(mutex, ACCESS_READ),
                       location);
    } else if (!runtime.versions) {
        runtime_prepare(t, kind, sync_object_at(index)->object, kind_footprint(mutex, ACCESS_READ),
                        location);
        runtime_park(t);
    }
    sync_check_usable(t, index, &mutex_class, location);
}

/* Whether a mutex that the thread does not hold refuses to be unlocked; else that is an error. */
static bool refuses_unlock(runtime_thread *t, const pthread_mutex_t *mutex, uint32_t index,
                           uint32_t location) {
    look(t, mutex, index, OPERATION_WRONG_UNLOCK, location);
    int kind = kind_of(mutex);
    return mutex->__data.__kind & MUTEX_ROBUST || kind == PTHREAD_MUTEX_RECURSIVE ||
           kind == PTHREAD_MUTEX_ERRORCHECK;
}

void mutex_init(pthread_mutex_t *mutex, int kind, uint32_t location) {
    uint32_t index = sync_init(mutex, &mutex_class, location);
    if (unlikely(sync_object_at(index)->phase != MUTEX_FINE)) {
        sync_log(index);
        sync_object_at(index)->phase = MUTEX_FINE;
    }
    mutex->__data.__kind = kind & (MUTEX_KIND_MASK | MUTEX_ROBUST | MUTEX_PROTECTS);
    any_robust |= (kind & MUTEX_ROBUST) != 0;
}

int heddle_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
    int kind = PTHREAD_MUTEX_DEFAULT, robust = PTHREAD_MUTEX_STALLED;
    int protocol = PTHREAD_PRIO_NONE, ceiling = 0;
    reads(attributes, attributes ? sizeof *attributes : 0, HERE);
    if (attributes) {
        pthread_mutexattr_gettype(attributes, &kind);
        pthread_mutexattr_getrobust(attributes, &robust);
        pthread_mutexattr_getprotocol(attributes, &protocol);
        pthread_mutexattr_getprioceiling(attributes, &ceiling);
    }
    kind |= robust == PTHREAD_MUTEX_ROBUST ? MUTEX_ROBUST : 0;
    kind |= protocol == PTHREAD_PRIO_PROTECT ? MUTEX_PROTECTS : 0;
    mutex_init(mutex, kind, LOCATION_HERE());
    mutex->__data.__lock = ceiling;
    return 0;
}

/* It stays as it was when the mutex was made; there is no function that changes it. */
int heddle_pthread_mutex_getprioceiling(const pthread_mutex_t *mutex, int *ceiling) {
    look(runtime.current, mutex, sync_at(mutex, &mutex_class), OPERATION_READ, LOCATION_HERE());
    if (!(mutex->__data.__kind & MUTEX_PROTECTS)) {
        return EINVAL;
    }
    writes(ceiling, sizeof *ceiling, HERE);
    *ceiling = mutex->__data.__lock;
    return 0;
}

void mutex_destroy(pthread_mutex_t *mutex, uint32_t location) {
    sync_destroy(mutex, &mutex_class, location);
}

int heddle_pthread_mutex_destroy(pthread_mutex_t *mutex) {
    mutex_destroy(mutex, LOCATION_HERE());
    return 0;
}

void mutex_take(runtime_thread *t, uint32_t index, uint32_t location) {
    sync_check_usable(t, index, &mutex_class, location);
    sync_take(t, index);
}

int mutex_result(uint32_t index) {
    sync_object *s = sync_object_at(index);
    DEBUG_CHECK(s->owner && !s->count);
    if (likely(s->phase == MUTEX_FINE)) {
        return 0;
    }
    if (s->phase == MUTEX_LEFT) {
        s->phase = MUTEX_INCONSISTENT;
        return EOWNERDEAD;
    }
    CHECK(s->phase == MUTEX_LOST);
    s->owner = 0;
    sync_show_holders(s);
    return ENOTRECOVERABLE;
}

void mutex_give(runtime_thread *t, uint32_t index) {
    sync_object *s = sync_object_at(index);
    sync_log(index);
    DEBUG_CHECK(s->phase == MUTEX_FINE || s->phase == MUTEX_INCONSISTENT);
    s->phase = s->phase == MUTEX_INCONSISTENT ? MUTEX_LOST : s->phase;
    sync_give(t, index);
}

FIBER_RETURN int mutex_lock(pthread_mutex_t *mutex, uint32_t location) {
    runtime_thread *t = runtime.current;
    int kind = kind_of(mutex);
    uint32_t index = sync_at(mutex, &mutex_class);
    if (unlikely(t->section_depth)) {
        section_sync(t, index, "pthread_mutex_lock", location);
    }
    if (unlikely(sync_owned(t, index)) && kind == PTHREAD_MUTEX_RECURSIVE) {
        sync_log(index);
        sync_object_at(index)->count++;
        return 0;
    }
    if (unlikely(sync_owned(t, index)) && kind == PTHREAD_MUTEX_ERRORCHECK) {
        return EDEADLK;
    }
    sync_block(t, index, OPERATION_LOCK, location);
    mutex_take(t, index, location);
    return mutex_result(index);
}

int heddle_pthread_mutex_lock(pthread_mutex_t *mutex) {
    if (unlikely(!runtime.current)) {
        return 0;
    }
    runtime_before_park();
    return mutex_lock(mutex, LOCATION_HERE());
}

int mutex_try(pthread_mutex_t *mutex, int refusal, uint32_t location) {
    runtime_thread *t = runtime.current;
    if (!t) {
        return 0;
    }
    int kind = kind_of(mutex);
    uint32_t index = sync_at(mutex, &mutex_class);
    spin_note_try(index);
    if (unlikely(t->section_depth)) {
        section_sync(t, index, "pthread_mutex_trylock", location);
    }
    if (sync_owned(t, index) && kind == PTHREAD_MUTEX_RECURSIVE) {
        sync_log(index);
        sync_object_at(index)->count++;
        return 0;
    }
    sync_step(t, index, OPERATION_TRYLOCK, location);
    sync_arrive(t, index);
    sync_check_usable(t, index, &mutex_class, location);
    if (sync_object_at(index)->owner || lock_versions_find_held(t, index)) {
        return refusal;
    }
    sync_take(t, index);
    t->value = 1;
    return mutex_result(index);
}

int heddle_pthread_mutex_trylock(pthread_mutex_t *mutex) {
    runtime_before_park();
    return mutex_try(mutex, EBUSY, LOCATION_HERE());
}

static void refresh_timed_lock(runtime_thread *t) {
    const sync_object *s = sync_object_at(t->sync);
    t->pending.kind = OPERATION_LOCK;
    t->pending.flags = OPERATION_ACQUIRES;
    t->pending.causes = t->causes;
    t->pending.cause_count = t->events == 0 && t->number != RUNTIME_MAIN;
    t->pending.supply_count = 0;
    runtime_set_enabled(t, !s->owner);
    if (s->owner) {
        timeout_refresh(t);
    }
}

static const refresh_rule timed_lock_rule = {.update = refresh_timed_lock, .before_step = true};

/* If it may time out whenever it would have to wait, it is a trylock. So it is if the deadline is
 * invalid, with another result. */
int mutex_lock_until(pthread_mutex_t *mutex, uint64_t end, uint32_t location) {
    runtime_thread *t = runtime.current;
    uint32_t index = sync_at(mutex, &mutex_class);
    int kind = kind_of(mutex);
    bool answers = kind == PTHREAD_MUTEX_RECURSIVE || kind == PTHREAD_MUTEX_ERRORCHECK;
    if (t && !t->section_depth && sync_owned(t, index) && answers) {
        return mutex_lock(mutex, location);
    }
    if (end == DEADLINE_INVALID) {
        return mutex_try(mutex, EINVAL, location);
    }
    if (!t || t->section_depth || timeout_is_try(t, end, location)) {
        return clock_result(mutex_try(mutex, ETIMEDOUT, location), end);
    }
    if (runtime.settings.timeouts == TIMEOUTS_NEVER) {
        return mutex_lock(mutex, location);
    }
    timeout_set(t, end);
    spin_note_try(index);
    runtime_prepare(t, OPERATION_LOCK, sync_object_at(index)->object, sync_footprint(index),
                    location);
    t->sync = index;
    t->refresh = &timed_lock_rule;
    runtime_park(t);
    if (timeout_clear(t)) {
        clock_reach(end);
        return ETIMEDOUT;
    }
    sync_arrive(t, index);
    mutex_take(t, index, location);
    return mutex_result(index);
}

int heddle_pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *time) {
    return mutex_lock_until(mutex, clock_deadline(CLOCK_REALTIME, time), LOCATION_HERE());
}

int heddle_pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock,
                                   const struct timespec *time) {
    return clock_can_be_waited_by(clock)
               ? mutex_lock_until(mutex, clock_deadline(clock, time), LOCATION_HERE())
               : EINVAL;
}

FIBER_RETURN int mutex_unlock(pthread_mutex_t *mutex, uint32_t location) {
    runtime_thread *t = runtime.current;
    uint32_t index = sync_at(mutex, &mutex_class);
    if (unlikely(t->section_depth)) {
        section_sync(t, index, "pthread_mutex_unlock", location);
    }
    if (unlikely(!sync_owned(t, index))) {
        if (refuses_unlock(t, mutex, index, location)) {
            return EPERM;
        }
        sync_misuse(t, index, location, "unlock of", "the thread does not hold");
    }
    if (sync_object_at(index)->count) {
        sync_log(index);
        sync_object_at(index)->count--;
        return 0;
    }
    sync_step(t, index, OPERATION_UNLOCK, location);
    sync_check(t, mutex, sizeof *mutex, location);
    mutex_give(t, index);
    return 0;
}

int heddle_pthread_mutex_consistent(pthread_mutex_t *mutex) {
    runtime_thread *t = runtime.current;
    uint32_t index = sync_at(mutex, &mutex_class);
    if (!sync_owned(t, index) || sync_object_at(index)->phase != MUTEX_INCONSISTENT) {
        look(t, mutex, index, OPERATION_READ, LOCATION_HERE());
        return EINVAL;
    }
    sync_log(index);
    sync_object_at(index)->phase = MUTEX_FINE;
    return 0;
}

static bool is_robust(const sync_object *s) {
    int kind = ((const pthread_mutex_t *)s->address)->__data.__kind;
    return s->class == &mutex_class && sync_is_usable((const void *)s->address, &mutex_class) &&
           kind & MUTEX_ROBUST;
}

/* One step for each mutex: those who wait for it see that its owner has ended. */
void mutex_leave_robust(runtime_thread *t) {
    for (uint32_t i = 1; any_robust && i < syncs.count; i++) {
        if (sync_owned(t, i) && is_robust(sync_object_at(i))) {
            sync_step(t, i, OPERATION_UNLOCK, t->pending.location);
            sync_log(i);
            CHECK(sync_owned(t, i));
            sync_object_at(i)->phase = MUTEX_LEFT;
            sync_give(t, i);
        }
    }
}

int heddle_pthread_mutex_unlock(pthread_mutex_t *mutex) {
    if (unlikely(!runtime.current)) {
        return 0;
    }
    runtime_before_park();
    return mutex_unlock(mutex, LOCATION_HERE());
}
