#define _GNU_SOURCE
#include "cli/stand_in.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/remote_work.h"
#include "supervise/wire.h"

typedef struct stand_in {
    wire wire;
    channel *channel;
    int signals;
    child_report report; /* how the other one ended, if it has */
    bool ended;
} stand_in;

/* ---- as bytes ---- */

void stand_in_put_status(bytes *out, const status_page *s, uint64_t beat) {
    bytes_put_number(out, s->phase);
    bytes_put_number(out, s->alone);
    bytes_put_number(out, s->shares);
    bytes_put_number(out, beat);
#define PUT(name, always, label) bytes_put_number(out, s->counters.name);
    COUNTERS(PUT)
#undef PUT
}

static void take_status(byte_reader *r) {
    status_enter((enum phase)bytes_take_number(r, PHASE_COUNT - 1));
    own_status.alone = bytes_take_flag(r);
    own_status.shares = bytes_take_flag(r);
    own_status.beat_elsewhere = bytes_take_number(r, UINT64_MAX);
#define TAKE(name, always, label) own_status.counters.name = bytes_take_number(r, UINT64_MAX);
    COUNTERS(TAKE)
#undef TAKE
}

void stand_in_put_report(bytes *out, const child_report *r) {
    bytes_put_number(out, r->end);
    bytes_put_number(out, (uint64_t)r->status);
    text_put_raw(out, text_length(&r->error_output) ? text_string(&r->error_output) : "");
}

static void take_report(stand_in *s, byte_reader *r) {
    s->report.end = (enum child_end)bytes_take_number(r, CHILD_NOT_STARTED);
    s->report.status = (int)bytes_take_number(r, INT32_MAX);
    text_take_raw(r, &s->report.error_output);
    s->ended = true;
}

/* ---- in both directions ---- */

/* The other rank cannot be reached, or sends invalid data. */
_Noreturn static void lose(void) {
    _exit(CHANNEL_LOST);
}

static void pass_on(stand_in *s, enum message_type type, byte_reader *content) {
    bytes copy = {0};
    switch (type) {
        case MESSAGE_STATUS: take_status(content); break;
        case MESSAGE_ENDED: take_report(s, content); break;
        default:
            bytes_take_rest(content, &copy);
            channel_send(s->channel, type, &copy);
            bytes_free(&copy);
    }
    if (!bytes_finished(content)) {
        lose();
    }
}

static void hear_wire(stand_in *s) {
    enum message_type type;
    byte_reader content;
    bool open = wire_read(&s->wire);
    while (!s->ended && inbox_take(&s->wire.inbox, &type, &content)) {
        pass_on(s, type, &content);
    }
    if ((!open && !s->ended) || s->wire.inbox.broken) {
        lose();
    }
}

static void notify(stand_in *s, enum message_type type, byte_reader *content) {
    bytes copy = {0};
    bytes_take_rest(content, &copy);
    if (!wire_send(&s->wire, type, &copy)) {
        lose();
    }
    bytes_free(&copy);
}

static void hear_supervisor(stand_in *s) {
    enum message_type type;
    byte_reader content;
    while (channel_receive(s->channel, false, &type, &content)) {
        notify(s, type, &content);
    }
}

static void hear_signals(stand_in *s) {
    struct signalfd_siginfo info;
    byte_reader nothing = {0};
    if (read(s->signals, &info, sizeof info) == (ssize_t)sizeof info) {
        notify(s, MESSAGE_INTERRUPT, &nothing);
    }
}

/* ---- life ---- */

static int open_signals(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGALRM);
    sigprocmask(SIG_BLOCK, &set, NULL);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* Ends as the other process did; if that was interrupted and did not finish, waits to be killed. */
static void end_likewise(const child_report *r) {
    if (text_length(&r->error_output)) {
        fputs(text_string(&r->error_output), stderr);
        fflush(stderr);
    }
    if (r->end == CHILD_FINISHED) {
        return;
    }
    while (r->end == CHILD_INTERRUPTED) {
        pause();
    }
    if (r->end == CHILD_DIED && WIFSIGNALED(r->status)) {
        signal(WTERMSIG(r->status), SIG_DFL);
        raise(WTERMSIG(r->status));
    }
    _exit(r->end == CHILD_DIED && WIFEXITED(r->status) ? WEXITSTATUS(r->status) : CHANNEL_LOST);
}

void stand_in_work(const assignment *a, uint32_t generation, channel *c) {
    stand_in s = {.channel = c, .signals = open_signals()};
    bytes content = {0};
    wire_open(&s.wire, STDIN_FILENO, generation);
    if (!remote_work_encode(a, &content) || !wire_send(&s.wire, MESSAGE_START, &content)) {
        lose();
    }
    bytes_free(&content);
    while (!s.ended) {
        struct pollfd ends[] = {{.fd = s.wire.descriptor, .events = POLLIN},
                                {.fd = c->commands, .events = POLLIN},
                                {.fd = s.signals, .events = POLLIN}};
        poll(ends, sizeof ends / sizeof *ends, -1);
        hear_signals(&s);
        hear_supervisor(&s);
        hear_wire(&s);
    }
    end_likewise(&s.report);
    wire_free(&s.wire);
    child_report_free(&s.report);
}
