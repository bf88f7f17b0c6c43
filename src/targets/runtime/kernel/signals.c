#include "targets/runtime/kernel/signals.h"

#include <errno.h>
#include <string.h>

#include "targets/runtime/kernel/fail.h"
#include "targets/runtime/kernel/process.h"
#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/memory/hidden.h"
#include "targets/runtime/sync/pending_signals.h"

static signal_action *action_of(int number) {
    CHECK(number > 0 && number < SIGNAL_COUNT);
    return &((signal_actions *)hidden_data(HIDDEN_SIGNALS))->items[number];
}

static bool is_signal(int number) {
    return number > 0 && number < SIGNAL_COUNT;
}

/* ---- handlers ---- */

static int set_action(int number, const signal_action *fresh, signal_action *old,
                      const void *here) {
    if (!is_signal(number) || (fresh && (number == SIGKILL || number == SIGSTOP))) {
        return fail_with(EINVAL);
    }
    (fresh ? hidden_change : hidden_read)(HIDDEN_SIGNALS, here);
    *old = *action_of(number);
    if (fresh) {
        *action_of(number) = *fresh;
    }
    if (fresh && fresh->handler == SIG_IGN) {
        pending_signals_discard(number, here);
    } else if (fresh && fresh->handler && number == SIGALRM) {
        alarm_require_none(here);
    }
    return 0;
}

sig_t heddle_signal(int number, sig_t handler) {
    signal_action fresh = {.handler = handler}, old;
    return set_action(number, &fresh, &old, HERE) == 0 ? old.handler : SIG_ERR;
}

/* What programs call as signal that ask for strict ISO C. */
sig_t heddle_sysv_signal(int number, sig_t handler) {
    signal_action fresh = {.handler = handler, .flags = (int)SA_RESETHAND | SA_NODEFER}, old;
    return set_action(number, &fresh, &old, HERE) == 0 ? old.handler : SIG_ERR;
}

int heddle_sigaction(int number, const struct sigaction *fresh, struct sigaction *old) {
    signal_action wanted = {0}, before;
    if (fresh) {
        reads(fresh, sizeof *fresh, HERE);
        wanted = (signal_action){.handler = fresh->sa_handler, .flags = fresh->sa_flags};
        memcpy(&wanted.mask, &fresh->sa_mask, sizeof wanted.mask);
    }
    int result = set_action(number, fresh ? &wanted : NULL, &before, HERE);
    if (result == 0 && old) {
        writes(old, sizeof *old, HERE);
        memset(old, 0, sizeof *old);
        old->sa_handler = before.handler;
        old->sa_flags = before.flags;
        memcpy(&old->sa_mask, &before.mask, sizeof before.mask);
    }
    return result;
}

int heddle_siginterrupt(int number, int flag) {
    (void)flag;
    return is_signal(number) ? 0 : fail_with(EINVAL);
}

int heddle_sigaltstack(const void *fresh, void *old) {
    if (fresh) {
        reads(fresh, sizeof(stack_t), HERE);
    }
    if (old) {
        writes(old, sizeof(stack_t), HERE);
        *(stack_t *)old = (stack_t){.ss_flags = SS_DISABLE};
    }
    return 0;
}

/* ---- masks ---- */

_Static_assert(SIGNAL_COUNT - 1 <= 64, "a mask has a bit for each");
_Static_assert(sizeof(sigset_t) >= sizeof(uint64_t), "the first bytes of a set are the mask");

static int set_mask(int how, const sigset_t *set, sigset_t *old, const void *here) {
    runtime_thread *t = runtime.current;
    uint64_t before = t ? t->signal_mask : 0, bits = 0;
    if (set) {
        reads(set, sizeof *set, here);
        memcpy(&bits, set, sizeof bits);
        if (how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK) {
            return EINVAL;
        }
    }
    if (old) {
        writes(old, sizeof *old, here);
        memset(old, 0, sizeof *old);
        memcpy(old, &before, sizeof before);
    }
    if (t && set) {
        uint64_t mask = how == SIG_BLOCK     ? before | bits
                        : how == SIG_UNBLOCK ? before & ~bits
                                             : bits;
        pending_signals_set_mask(mask & ~(signal_bit(SIGKILL) | signal_bit(SIGSTOP)), here);
    }
    return 0;
}

int heddle_pthread_sigmask(int how, const sigset_t *set, sigset_t *old) {
    return set_mask(how, set, old, HERE);
}

int heddle_sigprocmask(int how, const sigset_t *set, sigset_t *old) {
    int error = set_mask(how, set, old, HERE);
    return error ? fail_with(error) : 0;
}

int heddle_sigemptyset(sigset_t *set) {
    writes(set, sizeof *set, HERE);
    return sigemptyset(set);
}

int heddle_sigfillset(sigset_t *set) {
    writes(set, sizeof *set, HERE);
    return sigfillset(set);
}

int heddle_sigaddset(sigset_t *set, int number) {
    access_plain(set, sizeof *set, ACCESS_READ_WRITE, HERE);
    return sigaddset(set, number);
}

int heddle_sigdelset(sigset_t *set, int number) {
    access_plain(set, sizeof *set, ACCESS_READ_WRITE, HERE);
    return sigdelset(set, number);
}

int heddle_sigismember(const sigset_t *set, int number) {
    reads(set, sizeof *set, HERE);
    return sigismember(set, number);
}

/* ---- sending ---- */

static void call_handler(int number, const signal_action *a, const void *here) {
    runtime_thread *t = runtime.current;
    uint64_t before = t->signal_mask;
    if (a->flags & (int)SA_RESETHAND) {
        hidden_change(HIDDEN_SIGNALS, here);
        action_of(number)->handler = NULL;
    }
    uint64_t itself = a->flags & SA_NODEFER ? 0 : signal_bit(number);
    pending_signals_set_mask(before | a->mask | itself, here);
    if (a->flags & SA_SIGINFO) {
        siginfo_t info = {.si_signo = number, .si_code = SI_TKILL};
        info.si_pid = heddle_getpid();
        void (*handler)(int, siginfo_t *, void *);
        memcpy(&handler, &a->handler, sizeof handler);
        handler(number, &info, NULL);
    } else {
        a->handler(number);
    }
    pending_signals_set_mask(before, here);
}

bool signals_has_handler(int number, const void *here) {
    if (hidden_changes(HIDDEN_SIGNALS)) {
        hidden_read(HIDDEN_SIGNALS, here);
    }
    return action_of(number)->handler && action_of(number)->handler != SIG_IGN;
}

bool signals_deliver(int number, const void *here) {
    if (hidden_changes(HIDDEN_SIGNALS)) {
        hidden_read(HIDDEN_SIGNALS, here);
    }
    signal_action a = *action_of(number);
    if (!a.handler) {
        process_default_signal(number, location_of(here));
    } else if (a.handler != SIG_IGN) {
        call_handler(number, &a, here);
        return true;
    }
    return false;
}

static bool is_blocked(int number) {
    return runtime.current->signal_mask & signal_bit(number);
}

int signals_raise(int number, const void *here) {
    if (number < 0 || number >= SIGNAL_COUNT) {
        return fail_with(EINVAL);
    }
    if (number && runtime.current && is_blocked(number)) {
        pending_signals_raise(number, here);
    } else if (number && runtime.current) {
        signals_deliver(number, here);
    }
    return 0;
}

int heddle_raise(int number) {
    return signals_raise(number, HERE);
}

int heddle_kill(pid_t process, int number) {
    if (process != heddle_getpid() && process != 0) {
        heddle_unsupported("kill of another process", HERE);
    }
    if (is_signal(number) && runtime.current && is_blocked(number)) {
        pending_signals_kill(number, HERE);
        return 0;
    }
    return signals_raise(number, HERE);
}
