#define _GNU_SOURCE
#include "cli/remote.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/exit_status.h"
#include "cli/ranks.h"
#include "cli/remote_work.h"
#include "cli/stand_in.h"
#include "supervise/wire.h"
#include "targets/native/directory.h"

enum { PATIENCE = 3600 }; /* seconds: rank 0 waits less, and decides */

typedef struct remote {
    supervisor supervisor;
    wire wire;
    uint32_t generation; /* of the current process */
    watch *watch;        /* NULL: there is none, or it is about to end */
    bool busy;           /* some process has not ended */
    bool starts;         /* another one has to be started then */
    remote_work work;
    char directory[NATIVE_PATH_SIZE];
    role role;
} remote;

/* ---- what the process does ---- */

/* Rank 0 has the numbers of threads. */
static channel *own_channel;

static uint64_t ask_number(uint32_t number, uint64_t origin) {
    bytes content = {0};
    byte_reader answer;
    bytes_put_number(&content, number);
    bytes_put_number(&content, origin);
    channel_send(own_channel, MESSAGE_NUMBER, &content);
    bytes_free(&content);
    channel_await(own_channel, MESSAGE_NUMBER, &answer);
    return bytes_take_number(&answer, UINT64_MAX);
}

static void work(void *context, channel *c) {
    const remote *r = context;
    own_channel = c;
    native_share_threads_elsewhere(ask_number);
    worker_explore(&r->work.assignment, c);
}

/* ---- messages from it ---- */

static const void *witness_of(const remote *r) {
    return supervisor_witness(&r->supervisor, 0);
}

static void send_status(remote *r) {
    bytes content = {0};
    stand_in_put_status(&content, witness_status(witness_of(r)), worker_beat(witness_of(r)));
    wire_send(&r->wire, MESSAGE_STATUS, &content);
    bytes_free(&content);
}

/* Its status is at least as new as its message. */
static bool receive(void *context, enum message_type type, byte_reader *content) {
    remote *r = context;
    bytes copy = {0};
    bytes_take_rest(content, &copy);
    send_status(r);
    wire_send(&r->wire, type, &copy);
    bytes_free(&copy);
    return true;
}

static void tick(void *context, const void *witness) {
    (void)witness;
    send_status(context);
}

/* ---- messages from rank 0 ---- */

static void dismiss(remote *r) {
    if (r->watch) {
        supervisor_end(r->watch);
    }
    r->watch = NULL;
    r->starts = false;
}

static void fail(remote *r, const char *why) {
    text message = {0};
    bytes content = {0};
    child_report ended = {.end = CHILD_FINISHED};
    text_format(&message, "rank %u: %s", all_ranks.rank, why);
    bytes_put_string(&content, text_string(&message));
    wire_send(&r->wire, MESSAGE_FAILURE, &content);
    content.content.count = 0;
    stand_in_put_report(&content, &ended);
    wire_send(&r->wire, MESSAGE_ENDED, &content);
    bytes_free(&content);
    text_free(&message);
}

static void start(remote *r) {
    r->starts = false;
    r->watch = supervisor_start(&r->supervisor, &r->role, r, 0);
    r->busy = r->watch != NULL;
    if (!r->watch) {
        fail(r, "no process can be started: see ulimit -u");
    }
}

static bool prepare_directory(remote *r, text *message) {
    char reason[NATIVE_MESSAGE_SIZE];
    if (!r->directory[0] && !directory_create(r->directory, reason)) {
        r->directory[0] = '\0';
        text_append(message, reason);
        return false;
    }
    return true;
}

static void take_work(remote *r, byte_reader *content) {
    text message = {0};
    remote_work_free(&r->work);
    if (prepare_directory(r, &message) &&
        remote_work_decode(&r->work, content, r->directory, &message)) {
        r->starts = true;
    } else {
        fail(r, text_length(&message) ? text_string(&message) : "the work from rank 0 is invalid");
    }
    text_free(&message);
}

static void obey(remote *r, enum message_type type, byte_reader *content) {
    bytes copy = {0};
    switch (type) {
        case MESSAGE_START: take_work(r, content); break;
        case MESSAGE_INTERRUPT: supervisor_interrupt(&r->supervisor); break;
        default:
            bytes_take_rest(content, &copy);
            if (r->watch) {
                supervisor_send(r->watch, type, &copy);
            }
            bytes_free(&copy);
    }
    if (r->starts && !r->busy) {
        start(r);
    }
}

static bool hear(void *context) {
    remote *r = context;
    enum message_type type;
    byte_reader content;
    bool open = wire_read(&r->wire);
    if (r->wire.generation != r->generation) {
        dismiss(r);
        r->generation = r->wire.generation;
    }
    while (inbox_take(&r->wire.inbox, &type, &content)) {
        obey(r, type, &content);
    }
    if (!open || r->wire.inbox.broken) {
        dismiss(r);
        return false;
    }
    return true;
}

static void ended(void *context, child_report *report) {
    remote *r = context;
    r->busy = false;
    if (r->watch) {
        bytes content = {0};
        r->watch = NULL;
        send_status(r);
        stand_in_put_report(&content, report);
        wire_send(&r->wire, MESSAGE_ENDED, &content);
        bytes_free(&content);
    }
    if (r->starts) {
        start(r);
    }
}

/* ---- life ---- */

/* A pipe without a writer: what the program would read from it is only on rank 0. */
static int open_input(void) {
    int ends[2];
    return pipe2(ends, O_CLOEXEC) == 0 ? ends[0] : 0;
}

int remote_run(void) {
    static remote r;
    if (!supervisor_open(&r.supervisor, 0)) {
        return EXIT_INTERNAL;
    }
    r.supervisor.clean = directory_remove_present;
    r.role = (role){.work = work,
                    .receive = receive,
                    .watch = tick,
                    .ended = ended,
                    .can_stop = true,
                    .patience = PATIENCE,
                    .listens = true,
                    .input = open_input()};
    wire_open(&r.wire, RANKS_FIRST_WIRE, 0);
    supervisor_listen(&r.supervisor, RANKS_FIRST_WIRE, hear, &r);
    supervisor_wait(&r.supervisor);
    supervisor_close(&r.supervisor);
    remote_work_free(&r.work);
    wire_free(&r.wire);
    directory_remove_present();
    return EXIT_VERIFIED;
}
