#include "cli/worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/limit.h"
#include "base/memory.h"
#include "base/path.h"
#include "base/witness.h"
#include "cli/interrupt.h"
#include "cli/load.h"
#include "cli/ranks.h"
#include "cli/replay.h"
#include "cli/run.h"
#include "report/finding_trace.h"
#include "report/trace.h"
#include "report/writers/style.h"
#include "report/writers/writers.h"
#include "supervise/capture.h"
#include "targets/native/command.h"

/* ---- building ---- */

static void send_diagnostic(void *context, const char *line) {
    channel_send_text(context, MESSAGE_DIAGNOSTIC, line);
}

/* Compilers print colours only if they write to a terminal themselves. */
static bool build(const assignment *a, bool colours, char *path, text *message) {
    settings s = *a->job->settings;
    string_list flags = {0};
    vector_append(&flags, s.flags.items, s.flags.count);
    if (colours) {
        vector_push(&flags, "-fdiagnostics-color=always");
    }
    s.flags = flags;
    bool built = load_build(&s, a->directory, path, message);
    vector_free(&flags);
    return built;
}

void worker_build(const assignment *a, channel *c) {
    char path[NATIVE_PATH_SIZE] = "";
    text message = {0};
    char messages[NATIVE_PATH_SIZE + 16];
    capture captured;
    bool colours =
        style_wants_colour(a->job->settings->color, stderr) && !writers_want_all(a->job->settings);
    status_enter(PHASE_BUILDING);
    setenv("TMPDIR", a->directory,
           1); /* files that a compiler leaves there are removed with the directory */
    command_verbose = a->job->settings->verbose;
    snprintf(messages, sizeof messages, "%s/messages", a->directory);
    capture_begin(&captured, messages);
    bool built = build(a, colours, path, &message);
    capture_end(&captured);
    if (!built) {
        capture_lines(&captured, send_diagnostic, c);
    }
    capture_free(&captured);
    channel_send_text(c, built ? MESSAGE_BUILT : MESSAGE_FAILURE,
                      built ? path : text_string(&message));
    text_free(&message);
}

/* ---- exploring ---- */

/* Steps of C programs, executions of all. */
uint64_t worker_beat(const void *witness) {
    const status_page *s = witness_status(witness);
    const counters *c = &s->counters;
    return native_steps_of(witness) + c->executions + c->blocked + c->pruned + s->beat_elsewhere;
}

static void send_outcome(const assignment *a, channel *c, const outcome *o) {
    bytes content = {0};
    for (uint32_t i = 0; i < o->findings.count; i++) {
        content.content.count = 0;
        finding_encode(&vector_at(&o->findings, i), &content);
        channel_send(c, MESSAGE_FINDING, &content);
    }
    content.content.count = 0;
    /* Nothing has changed its assignment. */
    bytes_put_number(&content,
                     a->settings_checksum + settings_checksum(a->job->settings) - a->own_checksum);
    outcome_encode(o, &content);
    channel_send(c, MESSAGE_OUTCOME, &content);
    bytes_free(&content);
}

static void send_noticed(void *context, const finding *f) {
    bytes content = {0};
    finding_encode(f, &content);
    channel_send(context, MESSAGE_NOTICED, &content);
    bytes_free(&content);
}

static void send_void(void *context) {
    channel_send(context, MESSAGE_VOID, &(bytes){0});
}

/* A limit was reached outside the exploration, when the program was loaded. */
static void send_limit(const assignment *a, channel *c) {
    enum limit reached = 0;
    while (reached + 1 < LIMIT_COUNT && !limit_was_reached(reached)) {
        reached++;
    }
    outcome o = {0};
    outcome_fail(&o, VERDICT_INCOMPLETE, limit_words(reached));
    send_outcome(a, c, &o);
}

/* The program is not unloaded, so that none of its code runs after the result. */
void worker_explore(const assignment *a, channel *c) {
    loaded l;
    text message = {0};
    outcome o = {0};
    jmp_buf here;
    interrupt_install();
    memory_limit(a->job->settings->memory_limit, all_ranks.count ? all_ranks.here : a->workers);
    limit_exit = &here;
    if (setjmp(here)) {
        limit_exit = NULL;
        send_limit(a, c);
        return;
    }
    settings s = *a->job->settings;
    /* The first worker runs the program before others do, and may read what only one process
     * can. */
    s.several = a->workers > 1 && (s.jobs || a->membership.empty);
    if (load(&l, &s, a->path, &message)) {
        run_listener listener = {.found = send_noticed, .forget = send_void, .context = c};
        member m, *active = a->membership.active ? &m : NULL;
        member_open(&m, a->membership, c, NULL);
        run_exploration(a->job->settings, a->job->algorithm, &l, &listener, active, &o);
        if (active && m.order == MEMBER_QUITS) {
            member_send_memory(&m, &o);
        } else {
            send_outcome(a, c, &o);
        }
    } else {
        channel_send_text(c, MESSAGE_FAILURE, text_string(&message));
    }
}

/* ---- replaying ---- */

/* The last step, and what those before it have done, in case that it ends this process. */
static void send_before_last(void *context, const trace *t, step last) {
    trace_error error = {.kind = ERROR_UNFINISHED, .thread = last.thread};
    const operation *pending = t->target->class->pending(t->target, last.thread);
    finding f;
    error.location = pending ? pending->location : 0;
    text_append(&error.message, "the last step ended the process");
    finding_before_step(&f, t, last, &error);
    send_noticed(context, &f);
    finding_free(&f);
    text_free(&error.message);
}

void worker_replay(const assignment *a, channel *c) {
    loaded l;
    text message = {0};
    interrupt_install();
    if (writers_find_printed(a->job->settings)) {
        dup2(STDERR_FILENO, STDOUT_FILENO); /* what the program prints */
    }
    if (!load(&l, a->job->settings, a->path, &message) ||
        !replay_expect(a->job->schedule, &l, &message)) {
        channel_send_text(c, MESSAGE_FAILURE, text_string(&message));
        return;
    }
    finding f;
    bytes content = {0};
    trace_watch watch = {.before_last = send_before_last, .context = c};
    replay_learn(a->job->schedule, &l);
    replay_follow(a->job->schedule, &l, &watch, &f, &message);
    native_end_output();
    finding_encode(&f, &content);
    channel_send(c, MESSAGE_FINDING, &content);
    channel_send_text(c, MESSAGE_REPLAYED, text_string(&message));
}

/* ---- after a death ---- */

void worker_find_place(const assignment *a, channel *c) {
    char thread[64];
    const char *file;
    uint32_t line;
    text place = {0};
    if (a->path[0] && native_last_place(a->path, thread, sizeof thread, &file, &line)) {
        text_format(&place, "in %s", thread);
        if (file) {
            text_format(&place, ", after the operation at %s:%u", path_shown(file), line);
        }
    }
    channel_send_text(c, MESSAGE_PLACE, text_string(&place));
}
