#define _GNU_SOURCE
#include "targets/runtime/sync/pending_signals.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#include "targets/runtime/kernel/fail.h"
#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/signals.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/kernel/threads.h"
#include "targets/runtime/memory/hidden.h"
#include "targets/runtime/race/race.h"
#include "targets/runtime/sync/cancel.h"
#include "targets/runtime/sync/clock.h"
#include "targets/runtime/sync/section.h"
#include "targets/runtime/sync/timeout.h"

static pending_signals *pending(void) {
    return hidden_data(HIDDEN_PENDING);
}

static uint64_t *pending_of(const runtime_thread *t) {
    CHECK(t->number < PENDING_SIGNALS_THREADS);
    return &pending()->threads[t->number];
}

/* Before the first step that needs them. */
static void require_place(const runtime_thread *t, const void *here) {
    if (t->number >= PENDING_SIGNALS_THREADS) {
        heddle_unsupported("signals of more than 256 threads", here);
    }
}

static bool is_pending(const runtime_thread *t, uint64_t set) {
    return (*pending_of(t) | pending()->process) & set;
}

/* The least of the signals that are pending for the thread, which no longer is; or 0. Part of a
 * step that has logged them. */
static int take(runtime_thread *t, uint64_t set) {
    uint64_t found = (*pending_of(t) | pending()->process) & set;
    if (!found) {
        return 0;
    }
    int number = __builtin_ctzll(found) + 1;
    DEBUG_CHECK(found & signal_bit(number));
    uint64_t *from = *pending_of(t) & signal_bit(number) ? pending_of(t) : &pending()->process;
    *from &= ~signal_bit(number);
    return number;
}

/* ---- sending ---- */

static void add(uint64_t *to, int number, const void *here) {
    if (*to & signal_bit(number) && number >= SIGRTMIN) {
        heddle_unsupported("a real-time signal that is sent again while it is pending", here);
    }
    *to |= signal_bit(number);
}

void pending_signals_raise(int number, const void *here) {
    runtime_thread *t = runtime.current;
    DEBUG_CHECK(t->signal_mask & signal_bit(number));
    require_place(t, here);
    hidden_change(HIDDEN_PENDING, here);
    add(pending_of(t), number, here);
}

/* Threads that have ended count as well: their end is no step that this one conflicts with. */
static bool is_blocked_by_all(int number) {
    for (uint32_t i = 0; i < runtime.thread_count; i++) {
        const runtime_thread *t = &runtime.threads[i];
        if (t->status != THREAD_NONE && !(t->signal_mask & signal_bit(number))) {
            return false;
        }
    }
    return true;
}

void pending_signals_kill(int number, const void *here) {
    DEBUG_CHECK(runtime.current->signal_mask & signal_bit(number));
    hidden_change(HIDDEN_PENDING, here);
    if (!is_blocked_by_all(number)) {
        heddle_unsupported("kill with a signal that another thread does not block", here);
    }
    add(&pending()->process, number, here);
}

static footprint sending_footprint(const runtime_thread *to) {
    memory_access accesses[] = {{.object = hidden_object(HIDDEN_PENDING),
                                 .bytes = ACCESS_ALL_BYTES,
                                 .mode = ACCESS_READ_WRITE},
                                cancel_life(to)};
    return footprint_of(accesses, 2);
}

static void send_to(runtime_thread *to, int number, const void *here) {
    runtime_thread *t = runtime.current;
    uint32_t location = location_of(here);
    footprint f = sending_footprint(to);
    section_forbid(t, "pthread_kill", location);
    require_place(to, here);
    runtime_prepare(t, OPERATION_CHANGE, hidden_object(HIDDEN_PENDING), f, location);
    runtime_park(t);
    hidden_log(HIDDEN_PENDING);
    race_atomic(t, f, ACCESS_READ_WRITE, __ATOMIC_SEQ_CST, location);
    cancel_require_unjoined(t, to, "pthread_kill", location);
    if (to->status != THREAD_LIVE) {
        return;
    }
    if (to->signal_mask & signal_bit(number)) {
        add(pending_of(to), number, here);
    } else if (signals_has_handler(number, here)) {
        heddle_unsupported("pthread_kill of another thread that does not block the signal", here);
    } else {
        signals_deliver(number, here); /* it is ignored, or ends the process */
    }
}

static int send_to_any(runtime_thread *to, int number, const void *here) {
    if (number < 0 || number >= SIGNAL_COUNT) {
        return EINVAL;
    }
    if (to == runtime.current) {
        signals_raise(number, here);
    } else if (number) {
        send_to(to, number, here);
    }
    return 0;
}

int heddle_pthread_kill(pthread_t id, int number) {
    runtime_thread *to = threads_by_id(id);
    if (!to) {
        runtime_fail(runtime.current, ERROR_MISUSE, LOCATION_HERE(),
                     "pthread_kill of something that is not a thread");
    }
    return send_to_any(to, number, HERE);
}

int pending_signals_send(pid_t process, pid_t thread, int number, const void *here) {
    pthread_t id = (pthread_t)(thread - process) + 1;
    runtime_thread *to = threads_by_id(id);
    if (process != heddle_getpid()) {
        heddle_unsupported("tgkill of another process", here);
    }
    int error = to ? send_to_any(to, number, here) : ESRCH;
    return error ? fail_with(error) : 0;
}

int heddle_tgkill(pid_t process, pid_t thread, int number) {
    return pending_signals_send(process, thread, number, HERE);
}

/* ---- unblocking ---- */

/* What it calls may itself send, block and unblock signals. */
static void deliver(runtime_thread *t, const void *here) {
    for (int number; (number = take(t, ~t->signal_mask));) {
        signals_deliver(number, here);
        hidden_change(HIDDEN_PENDING, here);
    }
}

void pending_signals_set_mask(uint64_t mask, const void *here) {
    runtime_thread *t = runtime.current;
    if (!hidden_changes(HIDDEN_PENDING)) {
        t->signal_mask = mask;
        return;
    }
    require_place(t, here);
    hidden_change(HIDDEN_PENDING, here);
    t->signal_mask = mask;
    deliver(t, here);
}

void pending_signals_discard(int number, const void *here) {
    if (!runtime.current || !hidden_changes(HIDDEN_PENDING)) {
        return;
    }
    hidden_change(HIDDEN_PENDING, here);
    pending()->process &= ~signal_bit(number);
    for (uint32_t i = 0; i < PENDING_SIGNALS_THREADS; i++) {
        pending()->threads[i] &= ~signal_bit(number);
    }
}

/* ---- waiting ---- */

static void refresh_take(runtime_thread *t) {
    operation *o = &t->pending;
    timeout_start_over(t, OPERATION_TAKE_SIGNAL);
    o->footprint = footprint_single((memory_access){.object = hidden_object(HIDDEN_PENDING),
                                                    .bytes = ACCESS_ALL_BYTES,
                                                    .mode = ACCESS_READ_WRITE});
    runtime_set_enabled(t, !t->transfer_waits || is_pending(t, t->signal_set));
    cancel_refresh(t);
    if (!operation_enabled(o)) {
        timeout_refresh(t);
    }
}

static const refresh_rule take_rule = {.update = refresh_take, .before_step = true};

/* A step that takes one of the set, or with `tries` perhaps none. Returns 0 if there is none, and
 * after a time-out. */
static int wait_for(uint64_t set, bool tries, bool *timed_out, const void *here) {
    runtime_thread *t = runtime.current;
    uint32_t location = location_of(here);
    section_forbid(t, "waiting for a signal", location);
    require_place(t, here);
    CHECK(hidden_changes(HIDDEN_PENDING)); /* the program refers to what calls this */
    if (set & t->signal_mask & signal_bit(SIGALRM)) {
        alarm_require_none(here);
    }
    runtime_prepare(t, OPERATION_TAKE_SIGNAL, hidden_object(HIDDEN_PENDING), FOOTPRINT_EMPTY,
                    location);
    t->tail_used = true;
    t->signal_set = set;
    t->transfer_waits = !tries;
    t->refresh = &take_rule;
    runtime_park(t);
    cancel_check(t);
    *timed_out = timeout_clear(t);
    hidden_log(HIDDEN_PENDING);
    race_atomic(t, t->pending.footprint, ACCESS_READ_WRITE, __ATOMIC_SEQ_CST, location);
    int number = *timed_out ? 0 : take(t, set);
    CHECK(number || *timed_out || tries);
    t->value = (uint64_t)number;
    return number;
}

static uint64_t bits_of(const sigset_t *set, const void *here) {
    uint64_t bits;
    reads(set, sizeof *set, here);
    memcpy(&bits, set, sizeof bits);
    return bits;
}

int heddle_sigwait(const sigset_t *set, int *number) {
    bool timed_out;
    int taken = wait_for(bits_of(set, HERE), false, &timed_out, HERE);
    writes(number, sizeof *number, HERE);
    *number = taken;
    return 0;
}

static int inform(int number, siginfo_t *info, const void *here) {
    if (info) {
        writes(info, sizeof *info, here);
        memset(info, 0, sizeof *info);
        info->si_signo = number;
        info->si_code = SI_TKILL;
        info->si_pid = heddle_getpid();
    }
    return number;
}

int heddle_sigwaitinfo(const sigset_t *set, siginfo_t *info) {
    bool timed_out;
    return inform(wait_for(bits_of(set, HERE), false, &timed_out, HERE), info, HERE);
}

int heddle_sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *span) {
    runtime_thread *t = runtime.current;
    if (!span) {
        return heddle_sigwaitinfo(set, info);
    }
    reads(span, sizeof *span, HERE);
    uint64_t end = clock_after_span(span), bits = bits_of(set, HERE);
    if (end == DEADLINE_INVALID) {
        return fail_with(EINVAL);
    }
    bool at_once = !span->tv_sec && !span->tv_nsec, timed_out;
    bool tries = at_once || timeout_is_try(t, end, LOCATION_HERE());
    if (!tries) {
        timeout_set(t, end);
    }
    int number = wait_for(bits, tries, &timed_out, HERE);
    if (number) {
        return inform(number, info, HERE);
    }
    if (!at_once) {
        clock_reach(end);
    }
    return fail_with(EAGAIN);
}

/* The signal that ends it is delivered with the mask of the wait. */
static int suspend(uint64_t during, const void *here) {
    runtime_thread *t = runtime.current;
    uint64_t before = t->signal_mask;
    bool timed_out, ignored;
    do {
        int number = wait_for(~during, false, &timed_out, here);
        t->signal_mask = during;
        ignored = !signals_deliver(number, here);
    } while (ignored);
    pending_signals_set_mask(during, here);
    pending_signals_set_mask(before, here);
    return fail_with(EINTR);
}

int heddle_sigsuspend(const sigset_t *mask) {
    return suspend(bits_of(mask, HERE), HERE);
}

/* What the thread does not block has been delivered already: nobody but the thread itself sends it
 * that. */
int heddle_pause(void) {
    return suspend(runtime.current->signal_mask, HERE);
}

int heddle_sigpending(sigset_t *set) {
    runtime_thread *t = runtime.current;
    require_place(t, HERE);
    hidden_read(HIDDEN_PENDING, HERE);
    uint64_t bits = (*pending_of(t) | pending()->process) & t->signal_mask;
    writes(set, sizeof *set, HERE);
    memset(set, 0, sizeof *set);
    memcpy(set, &bits, sizeof bits);
    return 0;
}
