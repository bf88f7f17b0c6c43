#include "targets/runtime/kernel/watchdog.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include "base/check.h"
#include "targets/runtime/kernel/context.h"
#include "targets/runtime/kernel/fault.h"
#include "targets/runtime/kernel/published.h"
#include "targets/runtime/memory/space.h"

enum {
    PERIOD_MS = 25,     /* of ticks: a step that takes two of them is looked at */
    PROBE_STEPS = 4000, /* instructions in which a loop must come back */
    MOST_STEPS = 8000,  /* and those outside the program on the way back to it */
    FEW_STEPS = 500,    /* of these, in a first probe: what copies a large block is in no loop */
    SECOND_PROBE = 8,   /* ticks without a step, if there was no way back by then */
    STOP_PERIOD_MS = 20,
    STOP_TICKS = 100, /* until a step is given up wherever it stands */
    STACK_ROOM = 8 << 20,
    STACK_KEPT = 1 << 16, /* of the room, from probe to probe */
    RED_ZONE = 128,
};

_Static_assert(PROBE_STEPS < MOST_STEPS, "the way back to the program comes on top");
_Static_assert(STACK_KEPT <= STACK_ROOM, "what is kept is a part of the room");

/* Where a thread stood, to be compared. */
typedef struct standpoint {
    uintptr_t stack_pointer;
    uintptr_t registers[CONTEXT_REGISTER_COUNT];
    unsigned char floating[CONTEXT_FLOATING_SIZE];
    int error_number;
    runtime_thread thread;
} standpoint;

static struct {
    struct sigaction old_action;
    timer_t clock; /* of real time */
    uint64_t steps, clock_steps;
    uint64_t real_then, ready_then; /* at the latest tick of it */
    uint64_t wait_ns;               /* who sleeps so long between two ticks of it waits */
    uint32_t idle_ticks, most_ticks, stop_ticks;
    volatile bool stop_requested;

    bool probing, last_probe, seen;
    bool hurried;     /* the probe, which has not come to the program yet */
    bool put_off;     /* and so the next one is still to come */
    bool was_in_text; /* the instruction before */
    uint64_t probe_steps;
    standpoint before;
    unsigned char *stack; /* as it was then */
    size_t stack_size;
} watchdog;

static struct timespec milliseconds(uint32_t count) {
    return (struct timespec){.tv_sec = count / 1000, .tv_nsec = (long)(count % 1000) * 1000000};
}

static void set_clock(uint32_t period_ms) {
    struct itimerspec times = {.it_interval = milliseconds(period_ms),
                               .it_value = milliseconds(period_ms)};
    CHECK(timer_settime(watchdog.clock, 0, &times, NULL) == 0);
}

/* The copy of a deep stack goes back to the kernel. */
static void end_probe(void) {
    watchdog.probing = false;
    if (watchdog.stack_size > STACK_KEPT) {
        CHECK(madvise(watchdog.stack, watchdog.stack_size, MADV_DONTNEED) == 0);
    }
    watchdog.stack_size = 0;
}

/* ---- leaving ---- */

typedef struct search {
    uintptr_t found, below; /* the program's frame, and the function that it called */
} search;

static _Unwind_Reason_Code visit(struct _Unwind_Context *frame, void *raw) {
    search *s = raw;
    uintptr_t counter = _Unwind_GetIP(frame);
    if (space_in_text(counter)) {
        s->found = counter;
        return _URC_END_OF_STACK;
    }
    s->below = counter;
    return _URC_NO_REASON;
}

/* The place in the program, from wherever the thread stands. */
static void leave(ucontext_t *context, enum fault_reason reason) {
    search s = {0};
    uintptr_t counter = context_counter(context);
    if (space_in_text(counter)) {
        s.found = counter + 1;
    } else {
        _Unwind_Backtrace(visit, &s);
    }
    end_probe();
    watchdog.idle_ticks = 0;
    runtime.fault = (runtime_fault){
        .signal = SIGVTALRM, .reason = reason, .counter = s.found, .address = s.below};
    context_abandon(context);
}

void watchdog_faulted(void) {
    if (watchdog.probing) {
        end_probe();
    }
}

/* ---- is it endless? ---- */

static void stand(standpoint *s, const ucontext_t *context) {
    s->stack_pointer = context_stack_pointer(context);
    context_registers(context, s->registers);
    context_floating(context, s->floating);
    s->error_number = errno;
    s->thread = *runtime.current;
    s->thread.time -= s->thread.slept; /* for how long it slept, it has not looked */
    s->thread.slept = 0;
}

static size_t stack_in_use(uintptr_t stack_pointer, const void **low) {
    const runtime_thread *t = runtime.current;
    CHECK(stack_pointer - t->own_low <= t->own_size);
    *low = (const void *)(stack_pointer - RED_ZONE);
    return t->own_low + t->own_size - stack_pointer + RED_ZONE;
}

static bool came_back(const ucontext_t *context) {
    static standpoint now;
    const void *low;
    if (context_stack_pointer(context) != watchdog.before.stack_pointer) {
        return false;
    }
    stand(&now, context);
    size_t size = stack_in_use(now.stack_pointer, &low);
    CHECK(size == watchdog.stack_size); /* the stack pointer is the same */
    return memcmp(&now, &watchdog.before, sizeof now) == 0 &&
           memcmp(low, watchdog.stack, size) == 0;
}

static void remember(const ucontext_t *context) {
    const void *low;
    stand(&watchdog.before, context);
    size_t size = stack_in_use(watchdog.before.stack_pointer, &low);
    if (size <= STACK_ROOM) {
        memcpy(watchdog.stack, low, size);
        watchdog.stack_size = size;
        watchdog.seen = true;
    }
}

static void start_probe(ucontext_t *context, bool last) {
    if (!context_trace(context, true)) { /* a processor that cannot */
        if (last) {
            leave(context, FAULT_UNFINISHED);
        }
        return;
    }
    CHECK(!watchdog.probing && runtime.current);
    watchdog.probing = true;
    watchdog.last_probe = last;
    watchdog.seen = false;
    watchdog.hurried = watchdog.idle_ticks < SECOND_PROBE && !last;
    watchdog.put_off = false;
    watchdog.probe_steps = 0;
    watchdog.was_in_text = false;
    published_start();
}

bool watchdog_trapped(void *raw) {
    ucontext_t *context = raw;
    if (!watchdog.probing) {
        return false;
    }
    bool in_text = space_in_text(context_counter(context));
    uint64_t steps = ++watchdog.probe_steps;
    if (watchdog.was_in_text && !in_text && runtime.current) {
        published_note(runtime.current, context);
    }
    watchdog.was_in_text = in_text;
    watchdog.hurried = watchdog.hurried && !in_text;
    if (!runtime.current || runtime.steps != watchdog.steps) { /* an event: all is well */
        end_probe();
    } else if (in_text && watchdog.seen && came_back(context)) {
        published_share(runtime.current);
        leave(context, FAULT_ENDLESS);
    } else if (steps > PROBE_STEPS && (in_text || steps > MOST_STEPS)) {
        end_probe();
        if (watchdog.last_probe) {
            leave(context, FAULT_UNFINISHED);
        }
    } else if (watchdog.hurried && steps > FEW_STEPS) {
        watchdog.put_off = true;
        end_probe();
    } else if (in_text && !watchdog.seen) {
        remember(context);
    }
    context_trace(context, watchdog.probing);
    return true;
}

/* ---- ticks ---- */

static bool on_own_stack(const ucontext_t *context) {
    const runtime_thread *t = runtime.current;
    return context_stack_pointer(context) - t->own_low < t->own_size;
}

/* So much processor time has gone by. */
static void tick(ucontext_t *context) {
    if (runtime.steps != watchdog.steps) {
        watchdog.steps = runtime.steps;
        watchdog.idle_ticks = 0;
        return;
    }
    bool last = ++watchdog.idle_ticks >= watchdog.most_ticks;
    bool again = watchdog.put_off && watchdog.idle_ticks >= SECOND_PROBE;
    if (watchdog.idle_ticks == 1 || again || last) {
        start_probe(context, last);
    }
}

/* Nanoseconds in which the process ran or was ready to run; 0 if the kernel does not say. */
static uint64_t ready_time(void) {
    char text[64], *rest;
    int file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? 0 : read(file, text, sizeof text - 1);
    if (file >= 0) {
        close(file);
    }
    text[length > 0 ? length : 0] = '\0';
    uint64_t ran = strtoull(text, &rest, 10);
    return ran + strtoull(rest, NULL, 10);
}

/* Nanoseconds in which it slept since the latest call, as far as is known. */
static uint64_t sleep_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    uint64_t real = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
    uint64_t ready = ready_time();
    uint64_t gone = real - watchdog.real_then, busy = ready - watchdog.ready_then;
    watchdog.real_then = real;
    watchdog.ready_then = ready;
    return gone > busy ? gone - busy : 0;
}

/* The time for one step has gone by, or a moment after a stop was requested. */
static void tick_clock(ucontext_t *context) {
    bool slept = sleep_time() >= watchdog.wait_ns; /* not only ready while others ran */
    bool waits = context_in_kernel(context) && (slept || watchdog.stop_requested);
    bool safe = waits || space_in_text(context_counter(context));
    if (runtime.steps != watchdog.clock_steps) {
        watchdog.clock_steps = runtime.steps;
        watchdog.stop_ticks = 0;
    } else if (watchdog.stop_requested && (safe || watchdog.stop_ticks++ > STOP_TICKS)) {
        leave(context, FAULT_INTERRUPTED);
    } else if (waits) {
        leave(context, FAULT_WAITS);
    }
}

static __attribute__((used)) void on_tick(int signal, siginfo_t *info, void *raw) {
    (void)signal;
    int error_number = errno;
    if (runtime.current && on_own_stack(raw) && !watchdog.probing) {
        (info->si_code == SI_TIMER ? tick_clock : tick)(raw);
    } else if (!runtime.current) {
        watchdog.steps = watchdog.clock_steps = runtime.steps - 1;
    }
    errno = error_number;
}

CONTEXT_HANDLER(enter_on_tick, on_tick)

void watchdog_request_stop(void) {
    if (watchdog.stack && !watchdog.stop_requested) {
        watchdog.stop_requested = true;
        set_clock(STOP_PERIOD_MS);
    }
}

bool watchdog_stop_requested(void) {
    return watchdog.stop_requested;
}

void watchdog_open(void) {
    memset(&watchdog, 0, sizeof watchdog);
    if (!settings_watchdog_ms(&runtime.settings)) {
        return;
    }
    watchdog.stack = space_reserve(STACK_ROOM);
    struct sigaction action = {.sa_sigaction = enter_on_tick,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    CHECK(sigaction(SIGVTALRM, &action, &watchdog.old_action) == 0);
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGVTALRM};
    CHECK(timer_create(CLOCK_MONOTONIC, &event, &watchdog.clock) == 0);
    uint32_t given = settings_watchdog_ms(&runtime.settings);
    set_clock(given);
    watchdog.wait_ns = (uint64_t)given * 500000; /* half of the time */
    sleep_time();
    watchdog.most_ticks = given < PERIOD_MS ? 1 : given / PERIOD_MS;
    struct timeval period = {.tv_usec = PERIOD_MS * 1000};
    struct itimerval timer = {.it_interval = period, .it_value = period};
    CHECK(setitimer(ITIMER_VIRTUAL, &timer, NULL) == 0);
}

void watchdog_close(void) {
    if (!watchdog.stack) {
        return;
    }
    struct itimerval none = {0};
    CHECK(setitimer(ITIMER_VIRTUAL, &none, NULL) == 0);
    CHECK(timer_delete(watchdog.clock) == 0);
    CHECK(sigaction(SIGVTALRM, &watchdog.old_action, NULL) == 0);
    CHECK(munmap(watchdog.stack, STACK_ROOM) == 0);
    watchdog.stack = NULL;
}
