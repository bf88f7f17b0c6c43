/* Waiting for the end of a thread, and not waiting for it: joins and detaching. */
#include <errno.h>
#include <pthread.h>

#include "targets/runtime/kernel/access.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/process.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/kernel/threads.h"
#include "targets/runtime/race/race.h"
#include "targets/runtime/sync/cancel.h"
#include "targets/runtime/sync/clock.h"
#include "targets/runtime/sync/rounds.h"
#include "targets/runtime/sync/section.h"
#include "targets/runtime/sync/timeout.h"

enum { NAME_SIZE = 64 };

static void refresh_join(runtime_thread *t) {
    const runtime_thread *child = &runtime.threads[t->joinee];
    DEBUG_CHECK(t->joinee != t->number && child->status != THREAD_NONE);
    uint32_t count = t->events == 0 && t->number != RUNTIME_MAIN;
    bool ended = child->status == THREAD_ENDED;
    runtime_set_enabled(t, ended);
    if (ended) {
        t->causes[count++] =
            child->events ? (cause){child->number, child->events} : child->causes[0];
    }
    t->pending.cause_count = count;
    if (runtime.ends) {
        t->pending.footprint = cancel_joined(child);
        t->pending.flags |= OPERATION_VARIES | OPERATION_BLOCKS;
    }
    cancel_refresh(t);
}

static const refresh_rule join_rule = {.update = refresh_join};

static void refresh_timed_join(runtime_thread *t) {
    t->pending.kind = OPERATION_JOIN;
    t->pending.flags = 0;
    t->pending.causes = t->causes;
    t->pending.supply_count = 0;
    refresh_join(t);
    if (!operation_enabled(&t->pending)) {
        timeout_refresh(t);
    }
}

static const refresh_rule timed_join_rule = {.update = refresh_timed_join, .before_step = true};

/* It was begun, and the thread that began it continues without it. */
static void forget_join(runtime_thread *child) {
    undo_record(child);
    child->joined = false;
}

FIBER_RETURN void threads_await_end(runtime_thread *t, const runtime_thread *other,
                                    uint32_t location) {
    runtime_prepare(t, OPERATION_JOIN, other->number, FOOTPRINT_EMPTY, location);
    CHECK(other->number != t->number && other->status != THREAD_NONE);
    t->joinee = other->number;
    t->refresh = t->times_out ? &timed_join_rule : &join_rule;
    runtime_park(t);
    if (cancel_watches(t) && t->cancelled) {
        forget_join(&runtime.threads[t->joinee]);
        t->times_out = false;
        cancel_act(t);
    }
    if (t->pending.kind == OPERATION_JOIN) {
        CHECK(other->status == THREAD_ENDED);
        race_join(t, other);
        clock_follow(t, other);
        t->value = other->number;
    }
}

/* Ends the fiber if it is not; `joined` is what a thread is called that somebody has joined. */
static void check_joinable(runtime_thread *t, const runtime_thread *child, const char *what,
                           const char *joined, uint32_t location) {
    char name[NAME_SIZE];
    if (!child) {
        runtime_fail(t, ERROR_MISUSE, location, "%s of something that is not a thread", what);
    }
    if (child->detached || child->joined) {
        threads_name(child->number, name, sizeof name);
        runtime_fail(t, ERROR_MISUSE, location, "%s of %s, a %s", what, name,
                     child->detached ? "detached thread" : joined);
    }
}

FIBER_RETURN int threads_join(pthread_t id, void **result, const char *what, uint32_t location) {
    runtime_thread *t = runtime.current;
    section_forbid(t, what, location);
    runtime_thread *child = threads_by_id(id);
    if (child == t) {
        return EDEADLK;
    }
    check_joinable(t, child, what, "thread that was joined before", location);
    undo_record(child);
    child->joined = true;
    threads_await_end(t, child, location);
    if (unlikely(runtime.ends) && t->pending.kind == OPERATION_JOIN) {
        undo_record(child);
        child->gone = true;
    }
    *result = child->result;
    return 0;
}

/* That a thread has ended can be seen by no other means than a join, so that one that does not wait
 * may fail however late it comes: a choice. Where it is to succeed, it waits for the end; if that
 * never comes, it fails as well. */
static bool gives_up_at_once(runtime_thread *t, uint64_t end, int failure, uint32_t location) {
    bool may = failure != ETIMEDOUT || timeout_may_come_anytime() || timeout_has_passed(t, end);
    return may && !rounds_repeat(t, location) && process_choose(2, location);
}

/* `failure`: what it returns if the thread does not end in time. */
static FIBER_RETURN int join_until(pthread_t id, void **result, uint64_t end, int failure,
                                   const char *what, uint32_t location) {
    runtime_thread *t = runtime.current, *child = threads_by_id(id);
    bool usable = child && !child->detached && !child->joined;
    if (usable && child != t && gives_up_at_once(t, end, failure, location)) {
        return clock_result(failure, end);
    }
    if (failure != ETIMEDOUT || runtime.settings.timeouts != TIMEOUTS_NEVER) {
        timeout_set(t, end);
        t->times_out = true;
    }
    int error = threads_join(id, result, what, location);
    if (timeout_clear(t)) {
        forget_join(child);
        return clock_result(failure, end);
    }
    return error;
}

static FIBER_RETURN int join_by(pthread_t id, void **result, clockid_t clock,
                                const struct timespec *time, const char *what, uint32_t location) {
    if (!time) {
        return threads_join(id, result, what, location);
    }
    uint64_t end = clock_deadline(clock, time);
    return end == DEADLINE_INVALID ? join_until(id, result, 0, EINVAL, what, location)
                                   : join_until(id, result, end, ETIMEDOUT, what, location);
}

static int store_result(int error, void **result, void *returned, const void *here) {
    if (!error && result) {
        access_plain(result, sizeof *result, ACCESS_WRITE, here);
        *result = returned;
    }
    return error;
}

int heddle_pthread_tryjoin_np(pthread_t id, void **result) {
    void *returned;
    int error = join_until(id, &returned, 0, EBUSY, "pthread_tryjoin_np", LOCATION_HERE());
    return store_result(error, result, returned, __builtin_return_address(0));
}

int heddle_pthread_timedjoin_np(pthread_t id, void **result, const struct timespec *end) {
    void *returned;
    int error =
        join_by(id, &returned, CLOCK_REALTIME, end, "pthread_timedjoin_np", LOCATION_HERE());
    return store_result(error, result, returned, __builtin_return_address(0));
}

int heddle_pthread_clockjoin_np(pthread_t id, void **result, clockid_t clock,
                                const struct timespec *end) {
    void *returned;
    if (end && !clock_can_be_waited_by(clock)) {
        return EINVAL;
    }
    int error = join_by(id, &returned, clock, end, "pthread_clockjoin_np", LOCATION_HERE());
    return store_result(error, result, returned, __builtin_return_address(0));
}

FIBER_RETURN int heddle_pthread_join(pthread_t id, void **result) {
    void *returned;
    int error = threads_join(id, &returned, "pthread_join", LOCATION_HERE());
    return store_result(error, result, returned, __builtin_return_address(0));
}

int threads_detach(pthread_t id, const char *what, uint32_t location) {
    runtime_thread *t = runtime.current;
    runtime_thread *child = threads_by_id(id);
    check_joinable(t, child, what, "thread that is joined", location);
    undo_record(child);
    child->detached = true;
    return 0;
}

int heddle_pthread_detach(pthread_t id) {
    return threads_detach(id, "pthread_detach", LOCATION_HERE());
}
