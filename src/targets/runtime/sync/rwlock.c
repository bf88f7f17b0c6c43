/* Read-write locks. Whether a thread holds one is known to itself alone, so that a wrong unlock and
 * EDEADLK are no events. Readers come and go in any order.
 *
 * Fine strategies (target.h) see readers as independent of each other. For the others acquisitions
 * for reading are ordered among themselves, and releases are independent of them; once somebody
 * tries to lock it for writing, only two releases for reading are independent, which is learnt when
 * it happens: the exploration starts over. */
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/lock_versions.h"
#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/spin.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/race/race.h"
#include "targets/runtime/sync/clock.h"
#include "targets/runtime/sync/marks.h"
#include "targets/runtime/sync/sync.h"
#include "targets/runtime/sync/timeout.h"

enum { ACQUIRES = 1, RELEASES = 2, BOTH = 3 }; /* bytes of the object */
_Static_assert((ACQUIRES & RELEASES) == 0 && (ACQUIRES | RELEASES) == BOTH,
               "two independent parts");

/* In glibc the word is a futex that never becomes UINT32_MAX. */
static const sync_class rwlock_class = {
    .name = "read-write lock",
    .in_use = "is locked",
    .changed = "initialising or destroying a read-write lock",
    .has_holders = true,
    .life = {.size = sizeof(pthread_rwlock_t),
             .offset = offsetof(pthread_rwlock_t, __data.__writers_futex),
             .destroyed = UINT32_MAX,
             .shows_holders = true,
             .shown = 4}};

/* ---- footprints and enabledness ---- */

static footprint acquisition_footprint(const sync_object *s, bool writes) {
    if (space.target->fine) {
        return sync_part(s, BOTH, writes ? ACCESS_READ_WRITE : ACCESS_READ);
    }
    return sync_part(s, writes || s->coarse ? BOTH : ACQUIRES, ACCESS_READ_WRITE);
}

static footprint release_footprint(const sync_object *s, bool writes) {
    if (writes) {
        return sync_part(s, BOTH, ACCESS_READ_WRITE);
    }
    return sync_part(s, space.target->fine || s->coarse ? BOTH : RELEASES, ACCESS_READ);
}

static bool is_free(const sync_object *s, bool writes) {
    DEBUG_CHECK(!(s->owner && s->count)); /* a writer is alone */
    return !s->owner && !(writes && s->count);
}

static bool kind_writes(enum operation_kind kind) {
    return kind == OPERATION_WRITE_LOCK || kind == OPERATION_TRY_WRITE_LOCK;
}

static void refresh_lock(runtime_thread *t) {
    const sync_object *s = sync_object_at(t->sync);
    bool writes = kind_writes(t->pending.kind);
    t->pending.footprint = acquisition_footprint(s, writes);
    runtime_set_enabled(
        t, is_free(s, writes) ||
               !sync_seems_usable(s, &rwlock_class)); /* a step in error can be taken */
}

static const refresh_rule lock_rule = {.update = refresh_lock};

static void refresh_timed(runtime_thread *t, enum operation_kind kind) {
    t->pending.kind = (uint8_t)kind;
    t->pending.flags = OPERATION_VARIES | OPERATION_BLOCKS;
    t->pending.causes = t->causes;
    t->pending.cause_count = t->events == 0 && t->number != RUNTIME_MAIN;
    t->pending.supply_count = 0;
    refresh_lock(t);
    if (!operation_enabled(&t->pending)) {
        timeout_refresh(t);
    }
}

static void refresh_timed_read(runtime_thread *t) {
    refresh_timed(t, OPERATION_READ_LOCK);
}

static void refresh_timed_write(runtime_thread *t) {
    refresh_timed(t, OPERATION_WRITE_LOCK);
}

static const refresh_rule timed_read_rule = {.update = refresh_timed_read, .before_step = true};
static const refresh_rule timed_write_rule = {.update = refresh_timed_write, .before_step = true};

/* ---- holding ---- */

static void take(runtime_thread *t, uint32_t index, bool writes) {
    sync_object *s = sync_object_at(index);
    DEBUG_CHECK(is_free(s, writes));
    sync_log(index);
    race_acquire_row(t, s->clock);
    t->acquired = true;
    if (writes) {
        race_acquire_row(t, s->reader_clock);
        s->owner = t->number + 1;
    } else {
        s->marks = marks_add(t, 0, s->marks);
        s->count++;
    }
    sync_show_holders(s);
}

static void give(runtime_thread *t, uint32_t index) {
    sync_object *s = sync_object_at(index);
    sync_log(index);
    if (sync_owned(t, index)) {
        s->clock = race_release_row(t, 0);
        s->reader_clock = 0;
        s->owner = 0;
    } else {
        DEBUG_CHECK(s->count && !s->owner);
        s->reader_clock = race_release_row(t, s->reader_clock);
        s->marks = marks_without(s->marks, t->number);
        s->count--;
        DEBUG_CHECK(!s->marks == !s->count);
    }
    sync_show_holders(s);
}

/* ---- functions ---- */

int heddle_pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes) {
    reads(attributes, attributes ? sizeof *attributes : 0, HERE);
    sync_init(lock, &rwlock_class, LOCATION_HERE());
    return 0;
}

int heddle_pthread_rwlock_destroy(pthread_rwlock_t *lock) {
    sync_destroy(lock, &rwlock_class, LOCATION_HERE());
    return 0;
}

static FIBER_RETURN int acquire(pthread_rwlock_t *lock, bool writes, uint32_t location) {
    runtime_thread *t = runtime.current;
    uint32_t index = sync_at(lock, &rwlock_class);
    section_forbid(t, writes ? "pthread_rwlock_wrlock" : "pthread_rwlock_rdlock", location);
    if (unlikely(sync_owned(t, index))) {
        return EDEADLK;
    }
    sync_wait(t, index, writes ? OPERATION_WRITE_LOCK : OPERATION_READ_LOCK, &lock_rule, location);
    sync_check_usable(t, index, &rwlock_class, location);
    take(t, index, writes);
    return 0;
}

int heddle_pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
    if (unlikely(!runtime.current)) {
        return 0;
    }
    runtime_before_park();
    return acquire(lock, false, LOCATION_HERE());
}

int heddle_pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
    if (unlikely(!runtime.current)) {
        return 0;
    }
    runtime_before_park();
    return acquire(lock, true, LOCATION_HERE());
}

static int try_lock(pthread_rwlock_t *lock, bool writes, int refusal, uint32_t location) {
    runtime_thread *t = runtime.current;
    if (!t) {
        return 0;
    }
    uint32_t index = sync_at(lock, &rwlock_class);
    section_forbid(t, writes ? "pthread_rwlock_trywrlock" : "pthread_rwlock_tryrdlock", location);
    spin_note_try(index);
    if (writes) {
        sync_make_coarse(index);
    }
    runtime_prepare(t, writes ? OPERATION_TRY_WRITE_LOCK : OPERATION_TRY_READ_LOCK,
                    sync_object_at(index)->object,
                    acquisition_footprint(sync_object_at(index), writes), location);
    runtime_park(t);
    sync_check_usable(t, index, &rwlock_class, location);
    if (!is_free(sync_object_at(index), writes) || lock_versions_fails(t)) {
        return refusal;
    }
    take(t, index, writes);
    t->value = 1;
    return 0;
}

int heddle_pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) {
    return try_lock(lock, false, EBUSY, LOCATION_HERE());
}

int heddle_pthread_rwlock_trywrlock(pthread_rwlock_t *lock) {
    return try_lock(lock, true, EBUSY, LOCATION_HERE());
}

/* Where they may time out whenever they would have to wait, they are tries. */
static int acquire_until(pthread_rwlock_t *lock, bool writes, uint64_t end, uint32_t location) {
    runtime_thread *t = runtime.current;
    uint32_t index = sync_at(lock, &rwlock_class);
    section_forbid(t, "a timed lock", location);
    if (sync_owned(t, index)) {
        return EDEADLK;
    }
    if (end == DEADLINE_INVALID) {
        return EINVAL;
    }
    if (timeout_is_try(t, end, location)) {
        return clock_result(try_lock(lock, writes, ETIMEDOUT, location), end);
    }
    timeout_set(t, end);
    spin_note_try(index);
    sync_wait(t, index, writes ? OPERATION_WRITE_LOCK : OPERATION_READ_LOCK,
              writes ? &timed_write_rule : &timed_read_rule, location);
    if (timeout_clear(t)) {
        clock_reach(end);
        return ETIMEDOUT;
    }
    sync_check_usable(t, index, &rwlock_class, location);
    take(t, index, writes);
    return 0;
}

int heddle_pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *time) {
    return acquire_until(lock, false, clock_deadline(CLOCK_REALTIME, time), LOCATION_HERE());
}

int heddle_pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *time) {
    return acquire_until(lock, true, clock_deadline(CLOCK_REALTIME, time), LOCATION_HERE());
}

int heddle_pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock,
                                      const struct timespec *time) {
    return clock_can_be_waited_by(clock)
               ? acquire_until(lock, false, clock_deadline(clock, time), LOCATION_HERE())
               : EINVAL;
}

int heddle_pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock,
                                      const struct timespec *time) {
    return clock_can_be_waited_by(clock)
               ? acquire_until(lock, true, clock_deadline(clock, time), LOCATION_HERE())
               : EINVAL;
}

static FIBER_RETURN int release(pthread_rwlock_t *lock, uint32_t location) {
    runtime_thread *t = runtime.current;
    uint32_t index = sync_at(lock, &rwlock_class);
    section_forbid(t, "pthread_rwlock_unlock", location);
    bool writes = sync_owned(t, index);
    if (unlikely(!writes && !marks_find(sync_object_at(index)->marks, t->number))) {
        sync_misuse(t, index, location, "unlock of", "the thread does not hold");
    }
    runtime_prepare(t, OPERATION_UNLOCK, sync_object_at(index)->object,
                    release_footprint(sync_object_at(index), writes), location);
    runtime_park(t);
    sync_check(t, lock, sizeof *lock, location);
    give(t, index);
    return 0;
}

int heddle_pthread_rwlock_unlock(pthread_rwlock_t *lock) {
    if (unlikely(!runtime.current)) {
        return 0;
    }
    runtime_before_park();
    return release(lock, LOCATION_HERE());
}
