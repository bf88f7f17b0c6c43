#define _GNU_SOURCE
#include "supervise/supervisor.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/check.h"
#include "supervise/child.h"

static const double PATIENCE = 0.35; /* seconds between asking for an end and making it */
static const double TICK = 0.1;
enum { MOST_SAID = 1 << 14, LOADING_PATIENCE = 5 };

/* One process and what is known of it. */
typedef struct watch {
    supervisor *supervisor;
    const role *role;
    void *context;
    child child;
    child_report *report;
    inbox inbox;
    bool ended, finished; /* it is no more; it has sent everything */
    bool asked;           /* to stop */
    double kill_at;       /* 0: not yet */
    double started, changed, constructing;
    uint64_t beat;
    uint32_t phase;
} watch;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- opening and closing ---- */

/* Signals that have to be dealt with at the moment they come, and those that do not end us. */
static void choose_signals(sigset_t *set) {
    static const int left_out[] = {SIGSEGV, SIGBUS,  SIGFPE, SIGILL,   SIGTRAP, SIGABRT,
                                   SIGSYS,  SIGCONT, SIGURG, SIGWINCH, SIGTTIN, SIGTTOU};
    sigfillset(set);
    for (unsigned i = 0; i < sizeof left_out / sizeof *left_out; i++) {
        sigdelset(set, left_out[i]);
    }
}

bool supervisor_open(supervisor *s, uint64_t time_limit_ms) {
    static const int wanted[] = {SIGCHLD, SIGINT, SIGTERM};
    sigset_t set;
    *s = (supervisor){.witness = witness_create()};
    choose_signals(&set);
    for (unsigned i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        signal(wanted[i], SIG_DFL); /* also if whoever started us ignores them */
    }
    sigprocmask(SIG_BLOCK, &set, &s->old_mask);
    s->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    if (time_limit_ms) {
        s->deadline = now() + (double)time_limit_ms / 1e3;
    }
    return s->signals >= 0 && s->witness;
}

/* Signals that came too late to be heeded are not to end us now. */
void supervisor_close(supervisor *s) {
    struct signalfd_siginfo late;
    if (s->signals >= 0) {
        while (read(s->signals, &late, sizeof late) == (ssize_t)sizeof late) {
        }
        close(s->signals);
    }
    if (s->witness) {
        witness_destroy(s->witness);
    }
    sigprocmask(SIG_SETMASK, &s->old_mask, NULL);
}

void child_report_free(child_report *r) {
    text_free(&r->said);
}

/* ---- what the process sends ---- */

static void deliver(watch *w) {
    enum message_type type;
    byte_reader content;
    while (inbox_take(&w->inbox, &type, &content)) {
        if (w->finished) {
            inbox_break(&w->inbox, "a message came after the last one");
        } else if (type == MESSAGE_END) {
            w->finished = true;
            w->kill_at = now() + PATIENCE;
        } else if (!w->role->receive(w->context, type, &content) || !bytes_finished(&content)) {
            inbox_break(&w->inbox, "the content of a message is wrong");
        }
    }
}

/* Reads all that is there; false at the end. */
static bool read_messages(watch *w) {
    static unsigned char buffer[1 << 16];
    ssize_t count;
    while ((count = read(w->child.messages, buffer, sizeof buffer)) > 0) {
        inbox_add(&w->inbox, buffer, (size_t)count);
        deliver(w);
    }
    return count < 0 && (errno == EAGAIN || errno == EINTR);
}

static bool read_errors(watch *w) {
    char buffer[1 << 12];
    ssize_t count;
    while ((count = read(w->child.errors, buffer, sizeof buffer)) > 0) {
        uint32_t room = MOST_SAID - text_length(&w->report->said);
        text_append_bytes(&w->report->said, buffer,
                          (uint32_t)count < room ? (uint32_t)count : room);
    }
    return count < 0 && (errno == EAGAIN || errno == EINTR);
}

static void read_all(watch *w) {
    if (w->child.messages >= 0 && !read_messages(w)) {
        close(w->child.messages);
        w->child.messages = -1;
    }
    if (w->child.errors >= 0 && !read_errors(w)) {
        close(w->child.errors);
        w->child.errors = -1;
    }
}

/* ---- signals ---- */

static void interrupt(watch *w, int number) {
    if (w->asked || !w->role->can_stop) {
        w->kill_at = now();
    } else {
        w->kill_at = now() + PATIENCE;
        kill(w->child.process, number);
    }
    w->asked = true;
    w->supervisor->interruption = number;
}

/* Everything stops until somebody lets us go on. */
static void stop_all(const watch *w) {
    kill(-w->child.process, SIGSTOP);
    raise(SIGSTOP);
    kill(-w->child.process, SIGCONT);
}

/* A signal that is to end this process does so, but leaves nothing in the file system. */
static void die(watch *w, int number) {
    sigset_t one;
    child_kill(&w->child);
    child_clear(&w->child);
    if (w->supervisor->clean) {
        w->supervisor->clean();
    }
    signal(number, SIG_DFL);
    raise(number);
    sigemptyset(&one);
    sigaddset(&one, number);
    sigprocmask(SIG_UNBLOCK, &one, NULL);
    _exit(128 + number);
}

static void read_signals(watch *w) {
    struct signalfd_siginfo info;
    while (read(w->supervisor->signals, &info, sizeof info) == (ssize_t)sizeof info) {
        int number = (int)info.ssi_signo;
        if (number == SIGINT || number == SIGTERM) {
            interrupt(w, number);
        } else if (number == SIGTSTP) {
            stop_all(w);
        } else if (number != SIGCHLD) {
            die(w, number);
        }
    }
}

/* ---- the clock ---- */

static void stuck(watch *w) {
    w->report->end = CHILD_STUCK;
    w->kill_at = now();
}

/* Exploring and reporting show signs of life; loading a large program does not, and may take long.
 */
static double most_silence(const watch *w, uint32_t phase) {
    bool working = phase == PHASE_EXPLORING || phase == PHASE_REPORTING;
    return working ? w->role->most_silence : w->role->most_silence * LOADING_PATIENCE;
}

/* Constructors of the program run before the runtime can look after them. */
static void check_life(watch *w, double time) {
    uint32_t phase = witness_status(w->supervisor->witness)->phase;
    uint64_t beat = w->role->beat ? w->role->beat(w->supervisor->witness) : 0;
    if (phase != PHASE_CONSTRUCTING) {
        w->constructing = time;
    }
    if (beat != w->beat || phase != w->phase) {
        w->beat = beat;
        w->phase = phase;
        w->changed = time;
    }
    bool silent = w->role->beat && time - w->changed > most_silence(w, phase);
    bool too_long =
        w->role->most_construction && time - w->constructing > w->role->most_construction;
    bool over = w->role->most_seconds && time - w->started > w->role->most_seconds;
    if ((silent || too_long || over) && !w->kill_at) {
        stuck(w);
    }
}

static void check_clock(watch *w) {
    double time = now();
    supervisor *s = w->supervisor;
    check_life(w, time);
    if (s->deadline && time >= s->deadline && !w->asked && !w->finished) {
        interrupt(w, SIGALRM);
    }
    if (w->kill_at && time >= w->kill_at) {
        child_kill(&w->child);
        w->kill_at = time + TICK;
    }
    if (w->role->watch && !w->finished) {
        w->role->watch(w->context, s->witness);
    }
}

/* Milliseconds until something is to be looked at. */
static int next_look(const watch *w) {
    double time = now(), next = time + TICK;
    double deadline = w->supervisor->deadline;
    if (deadline && !w->asked && deadline < next) {
        next = deadline;
    }
    if (w->kill_at && w->kill_at < next) {
        next = w->kill_at;
    }
    return next > time ? (int)((next - time) * 1000) + 1 : 0;
}

/* ---- one process ---- */

static void look(watch *w) {
    struct pollfd ends[] = {{.fd = w->supervisor->signals, .events = POLLIN},
                            {.fd = w->child.messages, .events = POLLIN},
                            {.fd = w->child.errors, .events = POLLIN}};
    poll(ends, 3, next_look(w));
    read_all(w);
    read_signals(w);
    check_clock(w);
    if (waitpid(w->child.process, &w->report->status, WNOHANG) == w->child.process) {
        w->ended = true;
    }
}

static void judge(watch *w) {
    child_report *r = w->report;
    uint32_t phase = witness_status(w->supervisor->witness)->phase;
    r->phase = phase < PHASE_COUNT ? (enum phase)phase : PHASE_STARTING;
    r->complaint = w->inbox.complaint;
    bool well = WIFEXITED(r->status) && WEXITSTATUS(r->status) == 0;
    if (w->inbox.broken || (w->finished && inbox_has_rest(&w->inbox))) {
        r->end = CHILD_BROKEN;
        r->complaint = r->complaint ? r->complaint : "something came after the last message";
    } else if (w->finished && well) {
        r->end = CHILD_FINISHED;
    } else if (w->asked) {
        r->end = CHILD_INTERRUPTED;
    } else if (r->end != CHILD_STUCK) {
        r->end = CHILD_DIED;
    }
}

void supervisor_run(supervisor *s, const role *r, void *context, child_report *report) {
    double time = now();
    watch w = {.supervisor = s,
               .role = r,
               .context = context,
               .report = report,
               .started = time,
               .changed = time,
               .constructing = time};
    *report = (child_report){.end = CHILD_NOT_STARTED};
    if (!child_start(&w.child, s, r, context)) {
        return;
    }
    report->end = CHILD_DIED;
    w.inbox.process = (uint32_t)w.child.process;
    while (!w.ended) {
        look(&w);
    }
    read_all(&w);
    judge(&w);
    child_clear(&w.child);
    inbox_free(&w.inbox);
}
