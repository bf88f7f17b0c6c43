#include "targets/runtime/sync/clock.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>

#include "base/vector.h"
#include "targets/runtime/kernel/access.h"
#include "targets/runtime/kernel/state.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/kernel/undo_check.h"
#include "targets/runtime/sync/cancel.h"

enum { SECOND_NS = 1000000000, LOOK_NS = 1000, TICKS_PER_SECOND = 100, LATENESS_NS = 1000000 };

_Static_assert(SECOND_NS % CLOCKS_PER_SEC == 0 && SECOND_NS % TICKS_PER_SECOND == 0,
               "clocks divide the second");

/* When an object was last written; in another execution: never. */
typedef struct object_time {
    uint64_t execution;
    uint64_t written;
} object_time;

static struct {
    VECTOR(object_time) objects;
    uint64_t execution;
    bool from_zero; /* one of those that the program has looked at starts at 0 */
} clocks;

void clock_close(void) {
    vector_free(&clocks.objects);
    clocks.execution = 0;
    clocks.from_zero = false;
}

/* A check of going back starts over and continues with the log of before, which has numbers. */
void clock_reset(void) {
    clocks.execution++;
    if (undo_checks) {
        clocks.execution = 1;
        for (uint32_t i = 0; i < clocks.objects.count; i++) {
            vector_at(&clocks.objects, i) = (object_time){0};
        }
    }
}

/* ---- the time of steps ---- */

static uint64_t later(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

static object_time *time_of(uint32_t object) {
    if (object >= clocks.objects.count) {
        uint32_t old = clocks.objects.count;
        vector_resize(&clocks.objects, object + 1);
        memset(clocks.objects.items + old, 0,
               (clocks.objects.count - old) * sizeof *clocks.objects.items);
    }
    object_time *o = &vector_at(&clocks.objects, object);
    if (o->execution != clocks.execution) {
        *o = (object_time){.execution = clocks.execution};
    }
    return o;
}

static void set_time(uint32_t object, uint64_t time) {
    object_time *o = time_of(object);
    DEBUG_CHECK(time >= o->written); /* time goes forward */
    if (o->written != time) {
        undo_items(&clocks.objects.items, object * sizeof *o, sizeof *o);
        o->written = time;
    }
}

void clock_visit(void (*visit)(const char *name, uint32_t number, const void *, size_t)) {
    for (uint32_t i = 0; runtime.timed && i < clocks.objects.count; i++) {
        const object_time *o = &vector_at(&clocks.objects, i);
        uint64_t written = o->execution == clocks.execution ? o->written : 0;
        visit("time of a write", i, &written, sizeof written);
    }
}

void clock_step(runtime_thread *t) {
    DEBUG_CHECK(runtime.timed);
    footprint f = t->pending.footprint;
    uint32_t count = footprint_count(f);
    uint64_t now = t->time;
    for (uint32_t i = 0; i < count; i++) {
        memory_access a = footprint_access(f, i);
        if (a.mode & ACCESS_READ) {
            now = later(now, time_of(a.object)->written);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        memory_access a = footprint_access(f, i);
        if (a.mode & ACCESS_WRITE) {
            set_time(a.object, later(time_of(a.object)->written, now));
        }
    }
    t->time = now;
}

void clock_follow(runtime_thread *t, const runtime_thread *earlier) {
    t->time = later(t->time, earlier->time);
}

/* No span is longer, so that no sum of two is a special deadline. */
static const uint64_t MOST_NS = INT64_MAX / 2;

static uint64_t limited(uint64_t nanoseconds) {
    return nanoseconds < MOST_NS ? nanoseconds : MOST_NS;
}

/* So much time goes by for the calling thread. */
static inline __attribute__((always_inline)) void pass(uint64_t nanoseconds) {
    if (runtime.current) {
        uint64_t now = runtime.current->time;
        uint64_t later_by = now < MOST_NS ? limited(now + limited(nanoseconds)) - now : 0;
        runtime.current->time += later_by;
        runtime.current->slept += later_by;
    }
}

/* What the calling thread does next may depend on the time that it is. */
static void note_seen(void) {
    if (runtime.current) {
        runtime.current->slept = 0;
    }
}

static void keep_time(void) {
    if (unlikely(!runtime.timed)) {
        runtime.timed = runtime.exact = true;
        undo_forget();
        target_make_stale(space.target);
    }
}

uint64_t clock_look(void) {
    if (!runtime.current) {
        return 0;
    }
    keep_time();
    note_seen();
    return runtime.current->time += LOOK_NS;
}

bool clock_counts_from_zero(void) {
    return clocks.from_zero;
}

static uint64_t look_at_processor_time(void) {
    clocks.from_zero = true;
    return clock_look();
}

uint64_t clock_nanoseconds(const struct timespec *time) {
    uint64_t seconds = time->tv_sec < 0 ? 0 : (uint64_t)time->tv_sec;
    uint64_t rest = time->tv_sec < 0 ? 0 : (uint64_t)time->tv_nsec;
    return seconds < MOST_NS / SECOND_NS ? seconds * SECOND_NS + rest : MOST_NS;
}

static uint64_t first_second(clockid_t clock) {
    switch (clock) {
        case CLOCK_REALTIME:
        case CLOCK_REALTIME_COARSE:
        case CLOCK_TAI: return REAL_SECOND;
        case CLOCK_PROCESS_CPUTIME_ID:
        case CLOCK_THREAD_CPUTIME_ID: return 0;
        default: return MONOTONIC_SECOND;
    }
}

static bool has_nanoseconds(const struct timespec *time) {
    return time->tv_nsec >= 0 && time->tv_nsec < SECOND_NS;
}

static bool is_duration(const struct timespec *time) {
    return time->tv_sec >= 0 && has_nanoseconds(time);
}

uint64_t clock_deadline(clockid_t clock, const struct timespec *time) {
    if (!has_nanoseconds(time)) {
        return DEADLINE_INVALID;
    }
    note_seen();
    uint64_t end = clock_nanoseconds(time), first = first_second(clock) * SECOND_NS;
    return end > first ? end - first : 0;
}

void clock_reach(uint64_t deadline) {
    DEBUG_CHECK(deadline != DEADLINE_NONE && deadline != DEADLINE_INVALID);
    if (runtime.current) {
        uint64_t now = runtime.current->time;
        runtime.current->time = later(now, deadline);
        pass(deadline > now ? 0 : LATENESS_NS);
    }
}

void clock_miss(void) {
    CHECK(runtime.current);
    keep_time();
    note_seen();
    runtime.current->time += LATENESS_NS;
}

void clock_pass_state(struct state_cursor *c) {
    uint32_t count = runtime.timed ? clocks.objects.count : 0;
    STATE_PASS(c, count);
    for (uint32_t i = 0; i < count; i++) {
        STATE_PASS(c, time_of(i)->written);
    }
    for (uint32_t i = count; c->direction == CURSOR_RESTORES && i < clocks.objects.count; i++) {
        vector_at(&clocks.objects, i).execution = 0;
    }
}

/* ---- clocks ---- */

static struct timespec present(clockid_t clock) {
    uint64_t now = first_second(clock) ? clock_look() : look_at_processor_time();
    return (struct timespec){.tv_sec = (time_t)(first_second(clock) + now / SECOND_NS),
                             .tv_nsec = (long)(now % SECOND_NS)};
}

uint64_t clock_after(uint64_t nanoseconds) {
    keep_time();
    note_seen();
    return runtime.current->time + nanoseconds;
}

uint64_t clock_after_span(const struct timespec *span) {
    return is_duration(span) ? clock_after(clock_nanoseconds(span)) : DEADLINE_INVALID;
}

time_t heddle_time(time_t *result) {
    time_t now = present(CLOCK_REALTIME).tv_sec;
    if (result) {
        access_plain(result, sizeof *result, ACCESS_WRITE, __builtin_return_address(0));
        *result = now;
    }
    return now;
}

clock_t heddle_clock(void) {
    return (clock_t)(look_at_processor_time() / (SECOND_NS / CLOCKS_PER_SEC));
}

int clock_give(clockid_t clock, struct timespec *result, const void *here) {
    struct timespec now = present(clock);
    access_plain(result, sizeof *result, ACCESS_WRITE, here);
    *result = now;
    return 0;
}

int heddle_clock_gettime(clockid_t clock, struct timespec *result) {
    return clock_give(clock, result, __builtin_return_address(0));
}

int heddle_clock_getres(clockid_t clock, struct timespec *result) {
    (void)clock;
    if (result) {
        access_plain(result, sizeof *result, ACCESS_WRITE, __builtin_return_address(0));
        *result = (struct timespec){.tv_nsec = 1};
    }
    return 0;
}

int heddle_timespec_get(struct timespec *result, int base) {
    struct timespec now = present(CLOCK_REALTIME);
    access_plain(result, sizeof *result, ACCESS_WRITE, __builtin_return_address(0));
    *result = now;
    return base;
}

int heddle_gettimeofday(struct timeval *result, void *zone) {
    (void)zone;
    struct timespec now = present(CLOCK_REALTIME);
    access_plain(result, sizeof *result, ACCESS_WRITE, __builtin_return_address(0));
    *result = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
    return 0;
}

clock_t heddle_times(struct tms *result) {
    clock_t now = (clock_t)(look_at_processor_time() / (SECOND_NS / TICKS_PER_SECOND));
    if (result) {
        access_plain(result, sizeof *result, ACCESS_WRITE, __builtin_return_address(0));
        *result = (struct tms){.tms_utime = now};
    }
    return now;
}

int heddle_getrusage(int who, struct rusage *result) {
    (void)who;
    struct timespec now = present(CLOCK_PROCESS_CPUTIME_ID);
    access_plain(result, sizeof *result, ACCESS_WRITE, __builtin_return_address(0));
    *result = (struct rusage){.ru_utime = {.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000}};
    return 0;
}

/* ---- sleeping: it promises nothing about the others, who may all have run or none ---- */

/* A thread that only sleeps is in the same state each time (kernel/watchdog.h, spin.h): no time is
 * left in a register, nor a return address on the stack. */
#if __has_attribute(zero_call_used_regs)
#define LEAVES_NOTHING __attribute__((zero_call_used_regs("used")))
#else
#define LEAVES_NOTHING
#endif

LEAVES_NOTHING unsigned heddle_sleep(unsigned seconds) {
    cancel_point(LOCATION_HERE());
    pass((uint64_t)seconds * SECOND_NS);
    return 0;
}

LEAVES_NOTHING int heddle_usleep(unsigned duration) {
    cancel_point(LOCATION_HERE());
    pass((uint64_t)duration * 1000);
    return 0;
}

LEAVES_NOTHING int heddle_nanosleep(const struct timespec *duration, struct timespec *rest) {
    (void)rest;
    cancel_point(LOCATION_HERE());
    access_plain(duration, sizeof *duration, ACCESS_READ, __builtin_return_address(0));
    if (!is_duration(duration)) {
        errno = EINVAL;
        return -1;
    }
    pass(clock_nanoseconds(duration));
    return 0;
}

LEAVES_NOTHING int heddle_clock_nanosleep(clockid_t clock, int flags,
                                          const struct timespec *duration, struct timespec *rest) {
    (void)rest;
    cancel_point(LOCATION_HERE());
    access_plain(duration, sizeof *duration, ACCESS_READ, __builtin_return_address(0));
    if (!is_duration(duration)) {
        return EINVAL;
    }
    if (flags & TIMER_ABSTIME) {
        clock_reach(clock_deadline(clock, duration));
    } else {
        pass(clock_nanoseconds(duration));
    }
    return 0;
}
