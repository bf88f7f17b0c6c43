#define _GNU_SOURCE
#include "supervise/supervisor.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "supervise/child.h"

static const double PATIENCE = 0.25; /* seconds between asking a process to stop and killing it */
static const double LAST_PATIENCE = 10; /* seconds for a process that was started after that */
static const double TICK = 0.1;
enum { MOST_ERROR_OUTPUT = 1 << 14, LOADING_PATIENCE = 5 };

struct watch {
    supervisor *supervisor;
    const role *role;
    void *context;
    uint32_t place;
    child child;
    child_report report;
    inbox inbox;
    bytes outgoing; /* messages that it has not taken yet, from `sent` on */
    uint32_t sent, sequence;
    bool ended, finished;         /* the process has ended; it has sent everything */
    bool asked;                   /* to stop */
    bool discarded;               /* its messages are ignored */
    double kill_at;               /* 0: not yet */
    double started, looked;       /* when it was started, and last checked */
    double used;                  /* processor time, then */
    double silence, construction; /* seconds without a sign of life so far */
    bool called;                  /* it was sent something, and has shown no sign since */
    uint64_t beat;
    uint32_t phase;
};

static bool is_watched(const void *context, pid_t process) {
    const supervisor *s = context;
    for (uint32_t i = 0; i < s->watches.count; i++) {
        if (vector_at(&s->watches, i)->child.process == process) {
            return true;
        }
    }
    return false;
}

/* ---- opening and closing ---- */

/* Leaves out signals that have to be handled immediately, those that do not end the process, and
 * those that the parent process ignored (nohup); but SIGINT and SIGTERM always count. */
static void choose_signals(sigset_t *set) {
    static const int wanted[] = {SIGCHLD, SIGINT, SIGTERM};
    static const int left_out[] = {SIGSEGV, SIGBUS, SIGFPE,   SIGILL,  SIGTRAP, SIGABRT, SIGSYS,
                                   SIGCONT, SIGURG, SIGWINCH, SIGTTIN, SIGTTOU, SIGXFSZ};
    struct sigaction before;
    for (unsigned i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        signal(wanted[i], SIG_DFL);
    }
    sigfillset(set);
    for (unsigned i = 0; i < sizeof left_out / sizeof *left_out; i++) {
        sigdelset(set, left_out[i]);
    }
    for (int number = 1; number < SIGRTMIN; number++) {
        if (sigaction(number, NULL, &before) == 0 && before.sa_handler == SIG_IGN) {
            sigdelset(set, number); /* a blocked signal would be delivered */
        }
    }
}

static bool reserve_place(supervisor *s, uint32_t place) {
    while (s->witnesses.count <= place) {
        void *witness = witness_create();
        if (!witness) {
            return false;
        }
        vector_push(&s->witnesses, witness);
    }
    return true;
}

bool supervisor_open(supervisor *s, uint64_t time_limit_ms) {
    sigset_t set;
    *s = (supervisor){0};
    choose_signals(&set);
    signal(SIGXFSZ, SIG_IGN); /* a file that becomes too large is reported */
    sigprocmask(SIG_BLOCK, &set, &s->old_mask);
    s->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    if (time_limit_ms) {
        s->deadline = monotonic_seconds() + (double)time_limit_ms / 1e3;
    }
    return s->signals >= 0 && reserve_place(s, 0);
}

void *supervisor_witness(const supervisor *s, uint32_t place) {
    return vector_at(&s->witnesses, place);
}

/* Signals that came too late must not end this process now. */
void supervisor_close(supervisor *s) {
    struct signalfd_siginfo late;
    if (s->signals >= 0) {
        while (read(s->signals, &late, sizeof late) == (ssize_t)sizeof late) {
        }
        close(s->signals);
    }
    for (uint32_t i = 0; i < s->witnesses.count; i++) {
        witness_destroy(vector_at(&s->witnesses, i));
    }
    vector_free(&s->witnesses);
    vector_free(&s->watches);
    sigprocmask(SIG_SETMASK, &s->old_mask, NULL);
}

void child_report_free(child_report *r) {
    text_free(&r->error_output);
}

/* ---- what the process sends ---- */

static void deliver(watch *w) {
    enum message_type type;
    byte_reader content;
    while (!w->discarded && inbox_take(&w->inbox, &type, &content)) {
        if (w->finished) {
            inbox_break(&w->inbox, "a message came after the last one");
        } else if (type == MESSAGE_END) {
            w->finished = true;
            w->kill_at = monotonic_seconds() + PATIENCE;
        } else if (!w->role->receive(w->context, type, &content) || !bytes_finished(&content)) {
            inbox_break(&w->inbox, "the content of a message is wrong");
        }
    }
    if (w->inbox.broken && !w->kill_at) {
        w->kill_at = monotonic_seconds(); /* nothing that follows can be trusted */
    }
}

/* Reads all that is available; false at the end. */
static bool read_messages(watch *w) {
    static unsigned char buffer[1 << 16];
    ssize_t count;
    while ((count = read(w->child.messages, buffer, sizeof buffer)) > 0) {
        w->called = false;
        inbox_add(&w->inbox, buffer, (size_t)count);
        deliver(w);
    }
    return count < 0 && (errno == EAGAIN || errno == EINTR);
}

static bool read_errors(watch *w) {
    char buffer[1 << 12];
    ssize_t count;
    while ((count = read(w->child.errors, buffer, sizeof buffer)) > 0) {
        uint32_t room = MOST_ERROR_OUTPUT - text_length(&w->report.error_output);
        text_append_bytes(&w->report.error_output, buffer,
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

/* ---- what it is sent ---- */

/* Writes as much as the pipe takes now. */
static void flush(watch *w) {
    while (w->child.commands >= 0 && w->sent < w->outgoing.content.count) {
        ssize_t count = send(w->child.commands, w->outgoing.content.items + w->sent,
                             w->outgoing.content.count - w->sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count <= 0) {
            return;
        }
        w->sent += (uint32_t)count;
    }
    w->outgoing.content.count = w->sent = 0;
}

static bool has_outgoing(const watch *w) {
    return w->child.commands >= 0 && w->sent < w->outgoing.content.count;
}

/* It reads the pipe only if its status page asks for it. */
void supervisor_send(watch *w, enum message_type type, const bytes *content) {
    status_page *status =
        (status_page *)witness_status(supervisor_witness(w->supervisor, w->place));
    frame f = frame_make(type, (uint32_t)getpid(), w->sequence++, content);
    bytes header = {.content = {(unsigned char *)&f, sizeof f, sizeof f}};
    bytes_put_bytes(&w->outgoing, &header);
    bytes_put_bytes(&w->outgoing, content);
    w->called = true;
    flush(w);
    __atomic_store_n(&status->wanted, 1, __ATOMIC_RELEASE);
}

void supervisor_end(watch *w) {
    w->discarded = true;
    w->kill_at = monotonic_seconds();
    child_kill(&w->child);
}

/* ---- signals ---- */

static void interrupt(watch *w, int number) {
    if (w->asked || !w->role->can_stop) {
        w->kill_at = monotonic_seconds();
    } else {
        w->kill_at = monotonic_seconds() + (w->role->patience ? w->role->patience : PATIENCE);
        kill(w->child.process, number);
    }
    w->asked = true;
}

static void interrupt_all(supervisor *s, int number) {
    s->interruption = number;
    for (uint32_t i = 0; i < s->watches.count; i++) {
        interrupt(vector_at(&s->watches, i), number);
    }
}

void supervisor_interrupt(supervisor *s) {
    interrupt_all(s, SIGTERM);
}

static void signal_all(const supervisor *s, int number) {
    for (uint32_t i = 0; i < s->watches.count; i++) {
        kill(-vector_at(&s->watches, i)->child.process, number);
    }
}

/* Stops all processes until this one is continued. */
static void stop_all(const supervisor *s) {
    signal_all(s, SIGSTOP);
    raise(SIGSTOP);
    signal_all(s, SIGCONT);
}

static bool is_nobody(const void *context, pid_t process) {
    (void)context, (void)process;
    return false;
}

/* A signal that ends this process does so after temporary files have been removed. */
static void die(supervisor *s, int number) {
    sigset_t one;
    for (uint32_t i = 0; i < s->watches.count; i++) {
        watch *w = vector_at(&s->watches, i);
        child_kill(&w->child);
        child_clear(&w->child, is_nobody, NULL);
    }
    if (s->clean) {
        s->clean();
    }
    signal(number, SIG_DFL);
    raise(number);
    sigemptyset(&one);
    sigaddset(&one, number);
    sigprocmask(SIG_UNBLOCK, &one, NULL);
    _exit(128 + number);
}

static void read_signals(supervisor *s) {
    struct signalfd_siginfo info;
    while (read(s->signals, &info, sizeof info) == (ssize_t)sizeof info) {
        int number = (int)info.ssi_signo;
        if (request_repeats(&s->request, &info)) {
            continue;
        }
        if (number == SIGINT || number == SIGTERM || number == SIGHUP) {
            interrupt_all(s, number == SIGINT ? SIGINT : SIGTERM);
        } else if (number == SIGTSTP) {
            stop_all(s);
        } else if (number != SIGCHLD) {
            die(s, number);
        }
    }
}

/* ---- the clock ---- */

static void stuck(watch *w) {
    w->report.end = CHILD_STUCK;
    w->kill_at = monotonic_seconds();
}

/* A process that explores or reports shows signs of life, and so does one that waits and is sent
 * something; loading a large program shows none, and may take long. */
static double most_silence(const watch *w, uint32_t phase) {
    bool working = phase == PHASE_EXPLORING || phase == PHASE_REPORTING || phase == PHASE_WAITING;
    return working ? w->role->most_silence : w->role->most_silence * LOADING_PATIENCE;
}

/* How long it could have worked since the last check, without the time in which it was ready but
 * other processes had the processors. */
static double find_opportunity(watch *w, double time) {
    double passed = time - w->looked, used = w->used;
    bool ready = false;
    if (w->role->beat && !w->finished && child_effort(&w->child, &used, &ready) && ready &&
        used - w->used < passed) {
        passed = used - w->used;
    }
    w->used = used;
    w->looked = time;
    return passed;
}

/* Constructors of the program run before the runtime can watch them. */
static void check_life(watch *w, double time) {
    const void *witness = supervisor_witness(w->supervisor, w->place);
    uint32_t phase = witness_status(witness)->phase;
    uint64_t beat = w->role->beat ? w->role->beat(witness) : 0;
    double opportunity = find_opportunity(w, time);
    bool moved = beat != w->beat || phase != w->phase;
    w->called = w->called && !moved;
    moved = moved || (phase == PHASE_WAITING && !w->called);
    w->beat = beat;
    w->phase = phase;
    w->silence = moved ? 0 : w->silence + opportunity;
    w->construction = phase == PHASE_CONSTRUCTING ? w->construction + opportunity : 0;
    bool silent = w->role->beat && w->silence > most_silence(w, phase);
    bool too_long = w->role->most_construction && w->construction > w->role->most_construction;
    bool over = w->role->most_seconds && time - w->started > w->role->most_seconds;
    if ((silent || too_long || over) && !w->kill_at) {
        stuck(w);
    }
}

static void check_clock(watch *w, double time) {
    const supervisor *s = w->supervisor;
    if (time - w->looked >= TICK / 2) {
        check_life(w, time);
    }
    if (w->kill_at && time >= w->kill_at) {
        child_kill(&w->child);
        w->kill_at = time + TICK;
    }
    if (w->role->watch && !w->finished && !w->discarded) {
        w->role->watch(w->context, supervisor_witness(s, w->place));
    }
}

static bool is_working(const watch *w) {
    return !w->asked && !w->finished;
}

static bool anybody_works(const supervisor *s) {
    for (uint32_t i = 0; i < s->watches.count; i++) {
        if (is_working(vector_at(&s->watches, i))) {
            return true;
        }
    }
    return false;
}

static void check_deadline(supervisor *s) {
    if (s->deadline && monotonic_seconds() >= s->deadline && anybody_works(s)) {
        interrupt_all(s, SIGALRM);
    }
}

/* Milliseconds until something has to be checked. */
static int next_look(const supervisor *s) {
    double time = monotonic_seconds(), next = time + TICK;
    if (s->deadline && anybody_works(s) && s->deadline < next) {
        next = s->deadline;
    }
    next = s->look_at && s->look_at < next ? s->look_at : next;
    for (uint32_t i = 0; i < s->watches.count; i++) {
        double kill_at = vector_at(&s->watches, i)->kill_at;
        next = kill_at && kill_at < next ? kill_at : next;
    }
    return next > time ? (int)((next - time) * 1000) + 1 : 0;
}

/* ---- all processes ---- */

typedef VECTOR(struct pollfd) poll_list;

static void wait_for_something(supervisor *s, poll_list *ends) {
    vector_clear(ends);
    vector_push(ends, (struct pollfd){.fd = s->signals, .events = POLLIN});
    for (uint32_t i = 0; i < s->watches.count; i++) {
        const watch *w = vector_at(&s->watches, i);
        vector_push(ends, (struct pollfd){.fd = w->child.messages, .events = POLLIN});
        vector_push(ends, (struct pollfd){.fd = w->child.errors, .events = POLLIN});
        if (has_outgoing(w)) {
            vector_push(ends, (struct pollfd){.fd = w->child.commands, .events = POLLOUT});
        }
    }
    vector_push(ends, (struct pollfd){.fd = s->heard ? s->other : -1, .events = POLLIN});
    poll(ends->items, ends->count, next_look(s));
}

static void judge(watch *w) {
    child_report *r = &w->report;
    uint32_t phase = witness_status(supervisor_witness(w->supervisor, w->place))->phase;
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

/* The process has ended: removes it from the list, then notifies the role. */
static void finish(supervisor *s, uint32_t index) {
    watch *w = vector_at(&s->watches, index);
    read_all(w);
    judge(w);
    vector_remove(&s->watches, index, 1);
    child_clear(&w->child, is_watched, s);
    inbox_free(&w->inbox);
    bytes_free(&w->outgoing);
    if (w->role->ended) {
        w->role->ended(w->context, &w->report);
    }
    child_report_free(&w->report);
    memory_resize(w, sizeof *w, 0);
}

static void look(supervisor *s, poll_list *ends) {
    wait_for_something(s, ends);
    for (uint32_t i = 0; i < s->watches.count; i++) {
        flush(vector_at(&s->watches, i));
        read_all(vector_at(&s->watches, i));
    }
    if (s->heard && vector_last(ends).revents && !s->heard(s->context)) {
        s->heard = NULL;
    }
    read_signals(s);
    check_deadline(s);
    s->look_at = 0;
    for (uint32_t i = 0; i < s->watches.count; i++) {
        check_clock(vector_at(&s->watches, i), monotonic_seconds());
    }
    for (uint32_t i = s->watches.count; i-- > 0;) {
        watch *w = vector_at(&s->watches, i);
        if (waitpid(w->child.process, &w->report.status, WNOHANG) == w->child.process) {
            finish(s, i);
        }
    }
}

watch *supervisor_start(supervisor *s, const role *r, void *context, uint32_t place) {
    double time = monotonic_seconds();
    watch *w = memory_resize(NULL, 0, sizeof *w);
    *w = (watch){.supervisor = s,
                 .role = r,
                 .context = context,
                 .place = place,
                 .report = {.end = CHILD_DIED},
                 .asked = s->interruption != 0,
                 .kill_at = s->interruption ? time + LAST_PATIENCE : 0,
                 .started = time,
                 .looked = time};
    if (!reserve_place(s, place) || !child_start(&w->child, s, place, r, context)) {
        memory_resize(w, sizeof *w, 0);
        return NULL;
    }
    w->inbox.process = (uint32_t)w->child.process;
    vector_push(&s->watches, w);
    return w;
}

void supervisor_wait(supervisor *s) {
    poll_list ends = {0};
    while (s->watches.count || s->heard) {
        look(s, &ends);
    }
    vector_free(&ends);
}

void supervisor_listen(supervisor *s, int descriptor, bool (*heard)(void *), void *context) {
    s->other = descriptor;
    s->heard = heard;
    s->context = context;
}
