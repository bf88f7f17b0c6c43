#include "targets/runtime/libc/channel_timers.h"

#include <errno.h>
#include <sys/timerfd.h>

#include "targets/runtime/kernel/fail.h"
#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/libc/files.h"
#include "targets/runtime/sync/clock.h"
#include "targets/runtime/sync/timeout.h"

enum { SECOND_NS = 1000000000 };

/* ---- expiring ---- */

uint64_t channel_timer_next(const channel *c) {
    return c && c->is_timer ? c->deadline : DEADLINE_NONE;
}

channel *channel_timer_at(const open_file *file) {
    channel *c = file && file->source ? channels_at(file->source) : NULL;
    return c && c->is_timer ? c : NULL;
}

uint64_t channel_timer_of_file(const open_file *file) {
    return channel_timer_next(channel_timer_at(file));
}

bool channel_timer_is_due(const channel *c, uint64_t now) {
    return channel_timer_next(c) <= now;
}

bool channel_timer_may_expire(uint64_t next) {
    return next != DEADLINE_NONE && timeout_may_come_anytime();
}

void channel_timer_advance(channel *c, uint64_t now) {
    if (!channel_timer_is_due(c, now)) {
        return;
    }
    undo_write((uintptr_t)c, sizeof *c);
    uint64_t times = c->interval ? (now - c->deadline) / c->interval + 1 : 1;
    CHECK(times && times * c->interval <= now - c->deadline + c->interval);
    c->value += times;
    c->overruns = c->value - 1;
    c->count = sizeof c->value;
    c->arrivals++;
    c->deadline = c->interval ? c->deadline + times * c->interval : DEADLINE_NONE;
    CHECK(c->is_event && !channel_timer_is_due(c, now));
    if (runtime.timed) { /* the step is as late as that */
        clock_step(runtime.current);
    }
}

bool channel_timers_are_armed(void) {
    for (uint32_t i = 1; i <= CHANNELS_MAX && channels_are_used(); i++) {
        if (channel_timer_next(channels_at(i)) != DEADLINE_NONE) {
            return true;
        }
    }
    return false;
}

void channel_timer_look(const open_file *file, uint64_t now) {
    channel *c = channel_timer_at(file);
    if (c) {
        channel_timer_advance(c, now);
    }
}

/* ---- functions ---- */

open_file *channel_timer_create(int clock, const void *here) {
    channels_create_step(here);
    uint32_t number = channels_new(true);
    open_file *file = number ? files_new() : NULL;
    if (!file) {
        heddle_unsupported("more than 64 open files or 16 pipes", here);
    }
    CHECK(number <= CHANNELS_MAX && !file->source);
    file->source = file->target = (uint8_t)number;
    channel *c = channels_at(number);
    c->is_timer = true;
    c->deadline = DEADLINE_NONE;
    c->measured_by = clock;
    return file;
}

int heddle_timerfd_create(int clock, int flags) {
    if ((clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC && clock != CLOCK_BOOTTIME) ||
        flags & ~(TFD_NONBLOCK | TFD_CLOEXEC)) {
        return fail_with(EINVAL);
    }
    open_file *file = channel_timer_create(clock, HERE);
    file->does_not_block = flags & TFD_NONBLOCK;
    return files_number(file);
}

static struct timespec span_of(uint64_t nanoseconds) {
    return (struct timespec){.tv_sec = (time_t)(nanoseconds / SECOND_NS),
                             .tv_nsec = (long)(nanoseconds % SECOND_NS)};
}

static struct itimerspec setting_of(const channel *c) {
    uint64_t now = runtime.current->time;
    uint64_t left = c->deadline == DEADLINE_NONE ? 0 : c->deadline > now ? c->deadline - now : 1;
    return (struct itimerspec){.it_value = span_of(left), .it_interval = span_of(c->interval)};
}

static bool is_valid(const struct timespec *time) {
    return time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < SECOND_NS;
}

/* NULL with errno. */
static channel *begin(int descriptor, const void *here) {
    channels_create_step(here);
    channel *c = channel_timer_at(files_at(descriptor));
    if (!c || c->is_posix) {
        errno = files_at(descriptor) ? EINVAL : EBADF;
        return NULL;
    }
    return c;
}

static void arm(channel *c, const struct itimerspec *setting, bool absolute) {
    const struct timespec *value = &setting->it_value;
    clockid_t clock = c->measured_by;
    c->value = c->count = 0;
    c->interval = clock_nanoseconds(&setting->it_interval);
    c->deadline = !value->tv_sec && !value->tv_nsec ? DEADLINE_NONE
                  : absolute                        ? clock_deadline(clock, value)
                                                    : clock_after(clock_nanoseconds(value));
    CHECK(c->deadline != DEADLINE_INVALID);
    channels_release(runtime.current, c);
}

int channel_timer_set(channel *c, bool absolute, const struct itimerspec *wanted,
                      struct itimerspec *old, const void *here) {
    if (!is_valid(&wanted->it_value) || !is_valid(&wanted->it_interval)) {
        return fail_with(EINVAL);
    }
    CHECK(c->is_timer && !c->is_shut);
    channel_timer_advance(c, runtime.current->time);
    struct itimerspec before = setting_of(c);
    arm(c, wanted, absolute);
    if (old) {
        writes(old, sizeof *old, here);
        *old = before;
    }
    return 0;
}

int channel_timer_get(channel *c, struct itimerspec *place, const void *here) {
    channel_timer_advance(c, runtime.current->time);
    struct itimerspec now = setting_of(c);
    writes(place, sizeof *place, here);
    *place = now;
    return 0;
}

int heddle_timerfd_settime(int descriptor, int flags, const struct itimerspec *wanted,
                           struct itimerspec *old) {
    reads(wanted, sizeof *wanted, HERE);
    struct itimerspec own = *wanted;
    if (flags & ~(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)) {
        return fail_with(EINVAL);
    }
    channel *c = begin(descriptor, HERE);
    return c ? channel_timer_set(c, flags & TFD_TIMER_ABSTIME, &own, old, HERE) : -1;
}

int heddle_timerfd_gettime(int descriptor, struct itimerspec *place) {
    channel *c = begin(descriptor, HERE);
    return c ? channel_timer_get(c, place, HERE) : -1;
}
