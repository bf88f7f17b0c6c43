/* Condition variables. A wait is three steps: into the set of waiters, unlock, lock again; the
 * last one is enabled by a waker, whose event is its cause. A signal chooses which of the present
 * waiters it wakes. A timed waiter that nobody has woken may leave at any time. */
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/process.h"
#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/kernel/threads.h"
#include "targets/runtime/sync/cancel.h"
#include "targets/runtime/sync/clock.h"
#include "targets/runtime/sync/condition.h"
#include "targets/runtime/sync/mutex.h"
#include "targets/runtime/sync/timeout.h"
#include "targets/runtime/sync/waiters.h"

enum { NAME_SIZE = 64, CLOCK_IS_MONOTONIC = 2 };

/* In glibc the word counts waiters and holds that bit; it never becomes UINT32_MAX. */
static const sync_class condition_class = {
    .name = "condition",
    .in_use = "threads wait for",
    .changed = "initialising or destroying a condition",
    .life = {.size = sizeof(pthread_cond_t),
             .offset = offsetof(pthread_cond_t, __data.__wrefs),
             .destroyed = UINT32_MAX}};

/* After its unlock a waiter stands before a time-out or, woken, before its second lock. */
static void refresh_waiter(runtime_thread *t) {
    operation *o = &t->pending;
    DEBUG_CHECK(t->woken == !t->waits_in); /* a waker takes it out of the set */
    DEBUG_CHECK(!sync_owned(t, t->sync));
    if (t->timed && !t->woken) {
        o->kind = OPERATION_TIMEOUT;
        o->flags = OPERATION_ENABLED;
        o->object = sync_object_at(t->waits_in)->object;
        o->footprint = sync_footprint(t->waits_in);
        waiters_set_causes(t, false);
        return;
    }
    o->kind = OPERATION_RELOCK;
    o->object = sync_object_at(t->sync)->object;
    o->flags = OPERATION_ACQUIRES;
    o->footprint = FOOTPRINT_EMPTY;
    waiters_set_causes(t, t->woken);
    if (t->woken) {
        o->footprint = sync_footprint(t->sync);
        o->flags |= t->timed ? OPERATION_VARIES : 0;
        o->flags |= sync_object_at(t->sync)->owner ? 0 : OPERATION_ENABLED;
    } else if (t->times_out) {
        o->footprint = sync_footprint(t->waits_in);
        timeout_refresh(t);
        if (o->kind == OPERATION_TIMEOUT) {
            o->object = sync_object_at(t->waits_in)->object;
        } else {
            o->footprint = FOOTPRINT_EMPTY;
        }
    }
}

static const refresh_rule waiter_rule = {.update = refresh_waiter};
static const refresh_rule timed_rule = {.update = refresh_waiter, .before_step = true};

static int retake(runtime_thread *t, uint32_t location) {
    mutex_take(t, t->sync, location);
    return mutex_result(t->sync);
}

/* It may have been destroyed since the wait began. */
static void unlock(runtime_thread *t, uint32_t location) {
    sync_step(t, t->sync, OPERATION_WAIT_UNLOCK, location);
    sync_check(t, (const void *)sync_object_at(t->sync)->address, GRANULE_SIZE, location);
    mutex_give(t, t->sync);
}

static int relock(runtime_thread *t, uint32_t location) {
    sync_block(t, t->sync, OPERATION_RELOCK, location);
    return retake(t, location);
}

static bool wakes_spuriously(runtime_thread *t, uint32_t location) {
    return settings_spurious(&runtime.settings) && !t->was_spurious && process_choose(2, location);
}

/* The thread continues without a signal: it unlocks and locks again. Once, so that loops end. */
static int wake_spuriously(runtime_thread *t, uint32_t location) {
    t->was_spurious = true;
    unlock(t, location);
    return relock(t, location);
}

/* As long as some thread waits for a condition, all who do must have the same mutex. */
static void check_mutex(runtime_thread *t, uint32_t index, uint32_t location) {
    char name[NAME_SIZE], why[2 * NAME_SIZE];
    for (uint32_t i = 0; sync_object_at(index)->waiters && i < runtime.thread_count; i++) {
        const runtime_thread *other = &runtime.threads[i];
        if (other->status == THREAD_LIVE && other->waits_in == index && other->sync != t->sync) {
            threads_name(i, name, sizeof name);
            snprintf(why, sizeof why, "is not the one of %s, which waits for the condition", name);
            sync_misuse(t, t->sync, location, "wait with", why);
        }
    }
}

/* Into the set of waiters, and out of the mutex. */
static void begin_wait(runtime_thread *t, uint32_t index, uint32_t location) {
    footprint f = sync_footprint(index);
    t->wait_is_point = cancel_watches(t);
    t->tail_used |= t->wait_is_point;
    runtime_prepare(t, OPERATION_WAIT, sync_object_at(index)->object,
                    t->wait_is_point ? cancel_add(t, f) : f, location);
    runtime_park(t);
    cancel_check(t);
    sync_check_usable(t, index, &condition_class, location);
    DEBUG_CHECK(sync_owned(t, t->sync));
    check_mutex(t, index, location);
    waiters_enter(t, index);
    unlock(t, location);
}

/* A wait gives up the mutex once: whoever has locked it more often keeps it while it waits. */
static void check_held_once(runtime_thread *t, uint32_t mutex, uint32_t location) {
    if (!sync_owned(t, mutex)) {
        sync_misuse(t, mutex, location, "wait with", "the thread does not hold");
    }
    uint32_t more = sync_object_at(mutex)->count;
    if (more) {
        char why[NAME_SIZE];
        snprintf(why, sizeof why, "the thread has locked %u times, which a wait unlocks only once",
                 more + 1);
        sync_misuse(t, mutex, location, "wait with", why);
    }
}

/* Where versions are kept, whether a wait times out early is a choice that was made before; if it
 * does, it may be woken nevertheless. */
static int give_up(runtime_thread *t, uint32_t index, uint64_t end, uint32_t location) {
    sync_step(t, index, OPERATION_GIVE_UP, location);
    sync_check(t, (const void *)sync_object_at(index)->address, GRANULE_SIZE, location);
    bool woken = t->woken;
    if (!woken) {
        waiters_leave(t);
    }
    int result = relock(t, location);
    if (!woken) {
        clock_reach(end);
    }
    return result || woken ? result : ETIMEDOUT;
}

/* A thread that times out has waited until the deadline. */
static int wait(pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t end,
                uint32_t location) {
    runtime_thread *t = runtime.current;
    uint32_t index = sync_at(condition, &condition_class);
    uint32_t mutex_index = sync_at(mutex, &mutex_class);
    section_forbid(t, "waiting for a condition", location);
    check_held_once(t, mutex_index, location);
    if (end == DEADLINE_INVALID) {
        return EINVAL;
    }
    t->sync = mutex_index;
    if (wakes_spuriously(t, location)) {
        return wake_spuriously(t, location);
    }
    bool early = timeout_may_come_early(t, end, location);
    bool gives_up = runtime.versions && early && process_choose(2, location);
    begin_wait(t, index, location);
    if (gives_up) {
        return give_up(t, index, end, location);
    }
    t->timed = early && !runtime.versions;
    runtime_prepare(t, OPERATION_RELOCK, sync_object_at(mutex_index)->object, FOOTPRINT_EMPTY,
                    location);
    if (end != DEADLINE_NONE) {
        timeout_set(t, end);
        t->times_out |= early && runtime.versions;
    }
    t->refresh = t->times_out ? &timed_rule : &waiter_rule;
    runtime_park(t);
    timeout_clear(t);
    if (t->woken) {
        sync_arrive(t, mutex_index);
        int result = retake(t, location);
        if (unlikely(t->woken_to_end)) {
            cancel_act(t);
        }
        return result;
    }
    waiters_leave(t);
    int result = relock(t, location);
    clock_reach(end);
    return result ? result : ETIMEDOUT;
}

int condition_wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t deadline,
                         uint32_t location) {
    return wait(condition, mutex, deadline, location);
}

int condition_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, uint32_t location) {
    return wait(condition, mutex, DEADLINE_NONE, location);
}

int heddle_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    return condition_wait(condition, mutex, LOCATION_HERE());
}

int heddle_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                  const struct timespec *time) {
    clockid_t clock =
        condition->__data.__wrefs & CLOCK_IS_MONOTONIC ? CLOCK_MONOTONIC : CLOCK_REALTIME;
    return wait(condition, mutex, clock_deadline(clock, time), LOCATION_HERE());
}

int heddle_pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                  clockid_t clock, const struct timespec *time) {
    return clock_can_be_waited_by(clock)
               ? wait(condition, mutex, clock_deadline(clock, time), LOCATION_HERE())
               : EINVAL;
}

/* ---- wakers ---- */

static int announce_waker(pthread_cond_t *condition, enum operation_kind kind, uint32_t location) {
    runtime_thread *t = runtime.current;
    uint32_t index = sync_at(condition, &condition_class);
    t->sync = index;
    if (t->section_depth) {
        section_sync(t, index, "signalling a condition", location);
    } else {
        runtime_prepare(t, kind, sync_object_at(index)->object, sync_footprint(index), location);
        t->pending.flags |= OPERATION_WAKES;
        if (kind == OPERATION_SIGNAL) {
            t->pending.flags |= OPERATION_VARIES;
            t->refresh = &waiters_choice_rule;
        }
        runtime_park(t);
    }
    sync_check_usable(t, index, &condition_class, location);
    return 0;
}

int condition_signal(pthread_cond_t *condition, uint32_t location) {
    runtime_thread *t = runtime.current;
    if (!t) {
        return 0;
    }
    announce_waker(condition, OPERATION_SIGNAL, location);
    if (t->section_depth) {
        static uint32_t numbers[RUNTIME_MAX_THREADS];
        uint32_t count = waiters_collect(t->sync, numbers);
        if (count) {
            waiters_wake(t, numbers[section_choose(t, count, location)]);
        }
    } else if (t->choice != CHOICE_NONE) {
        waiters_wake(t, t->choice);
    }
    return 0;
}

int heddle_pthread_cond_signal(pthread_cond_t *condition) {
    return condition_signal(condition, LOCATION_HERE());
}

int condition_broadcast(pthread_cond_t *condition, uint32_t location) {
    runtime_thread *t = runtime.current;
    if (!t) {
        return 0;
    }
    announce_waker(condition, OPERATION_BROADCAST, location);
    waiters_wake_all(t, t->sync);
    return 0;
}

int heddle_pthread_cond_broadcast(pthread_cond_t *condition) {
    return condition_broadcast(condition, LOCATION_HERE());
}

/* ---- init and destroy ---- */

void condition_init(pthread_cond_t *condition, uint32_t location) {
    sync_init(condition, &condition_class, location);
}

int heddle_pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes) {
    clockid_t clock = CLOCK_REALTIME;
    reads(attributes, attributes ? sizeof *attributes : 0, HERE);
    if (attributes) {
        pthread_condattr_getclock(attributes, &clock);
    }
    condition_init(condition, LOCATION_HERE());
    condition->__data.__wrefs = clock == CLOCK_MONOTONIC ? CLOCK_IS_MONOTONIC : 0;
    return 0;
}

void condition_destroy(pthread_cond_t *condition, uint32_t location) {
    sync_destroy(condition, &condition_class, location);
}

int heddle_pthread_cond_destroy(pthread_cond_t *condition) {
    condition_destroy(condition, LOCATION_HERE());
    return 0;
}
