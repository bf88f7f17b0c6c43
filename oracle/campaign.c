#include "oracle/campaign.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/check.h"
#include "base/memory.h"
#include "base/monotonic.h"
#include "oracle/finding.h"
#include "oracle/generator.h"
#include "oracle/print.h"
#include "oracle/sandbox.h"
#include "oracle/statistics.h"

#define PROGRAM_SECONDS 60
#define WORKERS_MOST    64

/* What a worker says about one program; small enough for a pipe to pass it in one piece. */
typedef struct message {
    uint64_t index;
    uint32_t kind;
    double seconds;
    differ_result result;
} message;

typedef struct worker {
    pid_t process; /* 0: done */
    int pipe;
    uint64_t next; /* where a new process would continue, should this one die */
} worker;

typedef struct runner {
    const campaign *campaign;
    double start, last_progress;
    worker workers[WORKERS_MOST];
    statistics statistics;
    finding_list findings;
} runner;

static bool time_is_over(const runner *r) {
    return r->campaign->seconds && monotonic_seconds() - r->start >= r->campaign->seconds;
}

bool campaign_program(const campaign *c, uint64_t index, sketch *s, uint32_t *kind) {
    if (c->enumerator) {
        *kind = STATISTICS_ENUMERATED;
        return enumerator_program(c->enumerator, index, s);
    }
    *kind = generator_program(&c->request, index, s);
    return true;
}

/* ---- in a worker ---- */

/* False if there is no such program. */
static bool test_program(const campaign *c, uint64_t index, message *m) {
    sketch s;
    printed text;
    m->index = index;
    if (!campaign_program(c, index, &s, &m->kind)) {
        return false;
    }
    print_sketch(&s, &text);
    double start = monotonic_seconds();
    differ_settings settings = {.defendants = c->defendants,
                                .defendant_count = c->defendant_count,
                                .prefix_limit = c->prefix_limit,
                                .policies = c->policies,
                                .rotation = c->enumerator ? 0 : index + 1,
                                .knows_states = c->enumerator != NULL};
    differ_test(&settings, text.text, &m->result);
    m->seconds = monotonic_seconds() - start;
    return true;
}

/* How far apart the programs of one worker are, and where all of them end. */
static uint64_t stride(const campaign *c) {
    return c->jobs * c->parts;
}

static bool is_beyond(const campaign *c, uint64_t index) {
    return c->programs && index >= c->from + c->programs * c->parts;
}

static void work(const runner *r, uint64_t index, int pipe) {
    const campaign *c = r->campaign;
    for (; !is_beyond(c, index) && !time_is_over(r); index += stride(c)) {
        message m = {0};
        sandbox_limit(PROGRAM_SECONDS);
        if (!test_program(c, index, &m)) {
            break;
        }
        if (write(pipe, &m, sizeof m) != (ssize_t)sizeof m) {
            _exit(1);
        }
    }
    _exit(0);
}

static void start_worker(runner *r, worker *w) {
    int ends[2];
    fflush(NULL);
    CHECK(pipe(ends) == 0);
    w->process = fork();
    CHECK(w->process >= 0);
    if (w->process == 0) {
        close(ends[0]);
        work(r, w->next, ends[1]);
    }
    close(ends[1]);
    w->pipe = ends[0];
}

/* ---- in the parent ---- */

static void clear_progress(const runner *r) {
    if (r->campaign->progress) {
        fprintf(stderr, "\r%78s\r", "");
    }
}

static void show_progress(runner *r) {
    if (!r->campaign->progress || monotonic_seconds() - r->last_progress < 0.5) {
        return;
    }
    kind_statistics total = statistics_total(&r->statistics);
    r->last_progress = monotonic_seconds();
    fprintf(stderr, "\r%5.0f s  %" PRIu64 " programs, %" PRIu64 " traces, %" PRIu64 " differences ",
            monotonic_seconds() - r->start, total.programs, total.traces, total.differences);
}

static void take_message(runner *r, const message *m) {
    const campaign *c = r->campaign;
    statistics_add(&r->statistics, m->kind, &m->result, m->seconds);
    if (m->result.difference.kind != DIFFERENCE_NONE) {
        clear_progress(r);
        finding_report(&r->findings, c, m->index, &m->result.difference);
    }
}

/* A worker that died did so in the program after its last message. */
static void bury_worker(runner *r, worker *w) {
    int status;
    close(w->pipe);
    CHECK(waitpid(w->process, &status, 0) == w->process);
    enum sandbox_end end = sandbox_judge(status);
    w->process = 0;
    if (end == SANDBOX_RETURNED) {
        return;
    }
    message m = {.index = w->next};
    sketch s;
    if (!campaign_program(r->campaign, m.index, &s, &m.kind)) {
        return;
    }
    difference_set(&m.result.difference, end == SANDBOX_DIED ? DIFFERENCE_CRASH : DIFFERENCE_HANG,
                   "in a worker");
    take_message(r, &m);
    w->next += stride(r->campaign);
    start_worker(r, w);
}

static bool read_message(int pipe, message *m) {
    size_t got = 0;
    while (got < sizeof *m) {
        ssize_t count = read(pipe, (char *)m + got, sizeof *m - got);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return false;
        }
        got += (size_t)count;
    }
    return true;
}

static void listen_to_worker(runner *r, worker *w) {
    message m;
    if (!read_message(w->pipe, &m)) {
        bury_worker(r, w);
        return;
    }
    w->next = m.index + stride(r->campaign);
    take_message(r, &m);
}

/* Waits for news; false once all workers are done. */
static bool listen_to_workers(runner *r) {
    struct pollfd polls[WORKERS_MOST];
    worker *who[WORKERS_MOST];
    nfds_t count = 0;
    for (uint32_t i = 0; i < r->campaign->jobs; i++) {
        if (r->workers[i].process) {
            who[count] = &r->workers[i];
            polls[count++] = (struct pollfd){.fd = r->workers[i].pipe, .events = POLLIN};
        }
    }
    if (count == 0) {
        return false;
    }
    if (poll(polls, count, 500) > 0) {
        for (nfds_t i = 0; i < count; i++) {
            if (polls[i].revents) {
                listen_to_worker(r, who[i]);
            }
        }
    }
    return true;
}

uint64_t campaign_run(const campaign *c) {
    runner *r = memory_resize(NULL, 0, sizeof *r);
    CHECK(c->jobs > 0 && c->jobs <= WORKERS_MOST);
    r->campaign = c;
    r->start = monotonic_seconds();
    for (uint32_t i = 0; i < c->jobs; i++) {
        r->workers[i].next = c->from + c->part + i * c->parts;
        start_worker(r, &r->workers[i]);
    }
    while (listen_to_workers(r)) {
        show_progress(r);
    }
    clear_progress(r);
    statistics_print(&r->statistics);
    uint64_t differences = statistics_total(&r->statistics).differences;
    memory_resize(r, sizeof *r, 0);
    return differences;
}
