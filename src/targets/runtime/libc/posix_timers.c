/* Timers of timer_create: those of timerfd_create (channel_timers.h), with a thread of the program
 * (time.def) that waits for them and starts a thread for each expiry. The program knows such a
 * timer by the number of its descriptor, plus 1. A timer that was deleted has ended: who waits for
 * it closes the descriptor. */
#include <errno.h>
#include <signal.h>
#include <time.h>

#include "targets/runtime/kernel/fail.h"
#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/libc/channel_timers.h"
#include "targets/runtime/libc/files.h"
#include "targets/runtime/sync/clock.h"

static bool may_measure(clockid_t clock) {
    return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME;
}

/* Positive: somebody has to wait for it. */
int heddle_timer_create_in(clockid_t clock, const struct sigevent *event, timer_t *id,
                           const void *here) {
    struct sigevent own = {.sigev_notify = SIGEV_SIGNAL};
    if (event) {
        reads(event, sizeof *event, here);
        own = *event;
    }
    if (own.sigev_notify != SIGEV_THREAD && own.sigev_notify != SIGEV_NONE) {
        heddle_unsupported("timer_create with a signal", here);
    }
    if (!may_measure(clock)) {
        heddle_unsupported("timer_create with that clock", here);
    }
    bool calls = own.sigev_notify == SIGEV_THREAD;
    const open_file *file = channel_timer_create(clock, here);
    channel *c = channels_at(file->source);
    CHECK(!c->notify && channel_timer_next(c) == DEADLINE_NONE);
    c->is_posix = true;
    c->notify = calls ? (uintptr_t)own.sigev_notify_function : 0;
    c->notify_value = (uintptr_t)own.sigev_value.sival_ptr;
    timer_t number = (timer_t)(uintptr_t)(files_number(file) + 1);
    writes(id, sizeof *id, here);
    *id = number;
    return calls ? files_number(file) + 1 : 0;
}

static int descriptor_of(timer_t timer) {
    uintptr_t number = (uintptr_t)timer;
    return number && number <= FILES_MAX ? (int)number - 1 : -1;
}

/* NULL with errno; deleted ones too. */
static channel *begin(timer_t timer, const void *here) {
    channels_create_step(here);
    channel *c = channel_timer_at(files_at(descriptor_of(timer)));
    if (!c || !c->is_posix || c->is_shut) {
        errno = EINVAL;
        return NULL;
    }
    return c;
}

/* The function that is to be called for an expiry, and its argument; NULL: it was deleted. */
void *heddle_timer_wait_in(void *timer, void **value) {
    int descriptor = descriptor_of(timer);
    uint64_t times = 0;
    ssize_t size;
    bool read = channels_read(descriptor, &times, sizeof times, true, &size, HERE);
    const channel *c = channels_source(descriptor);
    CHECK(!times || (c && c->is_posix));
    if (!read || !times) {
        return NULL;
    }
    writes(value, sizeof *value, HERE);
    *value = (void *)c->notify_value;
    return (void *)c->notify;
}

int heddle_timer_settime(timer_t timer, int flags, const struct itimerspec *wanted,
                         struct itimerspec *old) {
    reads(wanted, sizeof *wanted, HERE);
    struct itimerspec own = *wanted;
    channel *c = begin(timer, HERE);
    return c ? channel_timer_set(c, flags & TIMER_ABSTIME, &own, old, HERE) : -1;
}

int heddle_timer_gettime(timer_t timer, struct itimerspec *place) {
    channel *c = begin(timer, HERE);
    return c ? channel_timer_get(c, place, HERE) : -1;
}

int heddle_timer_getoverrun(timer_t timer) {
    const channel *c = begin(timer, HERE);
    return c ? (int)(c->overruns < INT32_MAX ? c->overruns : INT32_MAX) : -1;
}

int heddle_timer_delete(timer_t timer) {
    channel *c = begin(timer, HERE);
    if (!c) {
        return -1;
    }
    if (!c->notify) {
        channels_drop(runtime.current, descriptor_of(timer));
        return 0;
    }
    c->value = c->count = 0;
    c->deadline = DEADLINE_NONE;
    CHECK(channels_at(files_at(descriptor_of(timer))->target) == c);
    c->is_shut = true;
    channels_release(runtime.current, c);
    return 0;
}
