#include "cli/job.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/witness.h"
#include "cli/death.h"
#include "cli/inputs.h"
#include "cli/load.h"
#include "cli/team.h"
#include "cli/worker.h"
#include "cli/workers.h"
#include "report/progress.h"
#include "report/writers/style.h"
#include "supervise/supervisor.h"
#include "targets/native/directory.h"

enum { SAVING_PATIENCE = 10 }; /* seconds for saving what is left, and for the report */

/* A job as its supervisor sees it. */
typedef struct work {
    assignment assignment;
    job *job;
    supervisor supervisor;
    progress progress;
    bool answered; /* there is a result, or a message why there is none */
    text place;
    VECTOR(finding) noticed; /* used if the process ends before it can report */
    checkpoint checkpoint;   /* of what is explored */
} work;

/* ---- messages ---- */

static bool receive_failure(work *w, byte_reader *content) {
    text message = {0};
    bytes_take_string(content, &message);
    if (!content->failed) {
        outcome_fail(&w->job->outcome, VERDICT_ERROR, text_string(&message));
        w->answered = true;
    }
    text_free(&message);
    return !content->failed;
}

static bool receive_diagnostic(work *w, byte_reader *content) {
    text line = {0};
    bytes_take_string(content, &line);
    outcome_add_diagnostic(&w->job->outcome, text_string(&line));
    text_free(&line);
    return !content->failed;
}

static bool receive_built(work *w, byte_reader *content) {
    text path = {0};
    bytes_take_string(content, &path);
    bool good = !content->failed && text_length(&path) < NATIVE_PATH_SIZE;
    if (good) {
        snprintf(w->assignment.path, NATIVE_PATH_SIZE, "%s", text_string(&path));
    }
    text_free(&path);
    return good;
}

static bool receive_finding(work *w, byte_reader *content) {
    finding f;
    if (!finding_decode(&f, content)) {
        return false;
    }
    outcome_add(&w->job->outcome, &f);
    return true;
}

static bool is_same_error(const finding *a, const finding *b) {
    const char *file = NULL, *other_file = NULL;
    uint32_t line = 0, other_line = 0;
    bool placed = finding_locate(a, a->place, &file, &line);
    bool other_placed = finding_locate(b, b->place, &other_file, &other_line);
    return a->kind == b->kind && placed == other_placed && line == other_line &&
           strcmp(finding_text(a, a->message), finding_text(b, b->message)) == 0;
}

/* Only once: work that is done again has the same errors again. */
static bool receive_noticed(work *w, byte_reader *content) {
    finding f;
    if (!finding_decode(&f, content)) {
        return false;
    }
    for (uint32_t i = 0; i < w->noticed.count; i++) {
        if (is_same_error(&vector_at(&w->noticed, i), &f)) {
            finding_free(&f);
            return true;
        }
    }
    vector_push(&w->noticed, f);
    return true;
}

static void forget_noticed(work *w) {
    for (uint32_t i = 0; i < w->noticed.count; i++) {
        finding_free(&vector_at(&w->noticed, i));
    }
    vector_clear(&w->noticed);
}

/* A bug that was noticed does not disappear. */
static bool noticed_bug(const work *w) {
    for (uint32_t i = 0; i < w->noticed.count; i++) {
        if (finding_is_bug(&vector_at(&w->noticed, i))) {
            return true;
        }
    }
    return false;
}

/* The findings have already arrived. */
static bool receive_outcome(work *w, byte_reader *content) {
    outcome o, *mine = &w->job->outcome;
    uint64_t checksum = bytes_take_number(content, UINT64_MAX);
    if (w->answered || checksum != w->assignment.settings_checksum ||
        !outcome_decode(&o, content)) {
        return false;
    }
    bool unsupported = mine->failure == VERDICT_UNSUPPORTED;
    bool plausible = mine->findings.count >= (uint32_t)(o.bugs != 0) + unsupported &&
                     (o.failure == VERDICT_UNSUPPORTED) == unsupported &&
                     (o.bugs || !noticed_bug(w));
    for (uint32_t i = 0; i < mine->findings.count; i++) {
        outcome_add(&o, &vector_at(&mine->findings, i));
    }
    outcome_free(mine);
    *mine = o;
    w->answered = true;
    return plausible;
}

static bool receive_replayed(work *w, byte_reader *content) {
    text why = {0};
    bytes_take_string(content, &why);
    w->job->diverged = text_length(&why) != 0;
    if (w->job->diverged) {
        outcome_fail(&w->job->outcome, VERDICT_ERROR, text_string(&why));
    }
    w->answered = w->job->outcome.findings.count == 1;
    text_free(&why);
    return w->answered && !content->failed;
}

static bool receive_place(work *w, byte_reader *content) {
    bytes_take_string(content, &w->place);
    return !content->failed;
}

static bool receive(void *context, enum message_type type, byte_reader *content) {
    switch (type) {
        case MESSAGE_BUILT: return receive_built(context, content);
        case MESSAGE_DIAGNOSTIC: return receive_diagnostic(context, content);
        case MESSAGE_FAILURE: return receive_failure(context, content);
        case MESSAGE_NOTICED: return receive_noticed(context, content);
        case MESSAGE_VOID: forget_noticed(context); return true;
        case MESSAGE_FINDING: return receive_finding(context, content);
        case MESSAGE_OUTCOME: return receive_outcome(context, content);
        case MESSAGE_REPLAYED: return receive_replayed(context, content);
        case MESSAGE_PLACE: return receive_place(context, content);
        default: return false;
    }
}

/* ---- roles ---- */

static void build(void *context, channel *c) {
    worker_build(&((work *)context)->assignment, c);
}

static void explore(void *context, channel *c) {
    const work *w = context;
    (w->job->schedule ? worker_replay : worker_explore)(&w->assignment, c);
}

static void find_place(void *context, channel *c) {
    worker_find_place(&((work *)context)->assignment, c);
}

static void show_progress(void *context, const void *witness) {
    work *w = context;
    const status_page *status = witness_status(witness);
    if (status->phase == PHASE_EXPLORING && status->counters.executions) {
        progress_show(&w->progress, status->counters.executions, &(forecast){0});
    }
}

/* ---- in order ---- */

/* The process was asked to stop and did not do so in time. */
static void explain_interruption(const work *w, const child_report *r) {
    outcome *o = &w->job->outcome;
    bool timeout = w->supervisor.interruption == SIGALRM;
    if (r->phase != PHASE_EXPLORING && r->phase != PHASE_REPORTING) {
        text message = {0};
        text_format(&message, "%s %s",
                    timeout ? "the time limit (--time-limit) was reached" : "interrupted",
                    phase_words(r->phase));
        outcome_fail(o, VERDICT_INCOMPLETE, text_string(&message));
        text_free(&message);
        return;
    }
    o->end = EXPLORATION_INTERRUPTED;
    o->timeout = timeout;
    outcome_warn(o, "the exploration had to be ended before it could report everything");
}

/* What was found before the process ended is not lost; the reason for its end is then a warning. */
static void add_noticed(work *w) {
    outcome *o = &w->job->outcome;
    for (uint32_t i = 0; i < w->noticed.count; i++) {
        finding *f = &vector_at(&w->noticed, i);
        if (finding_is_bug(f) && !w->job->schedule) {
            o->bugs++;
            outcome_add(o, f);
        }
    }
    if (o->bugs && text_length(&o->message)) {
        outcome_warn(o, "%s", text_string(&o->message));
        text_clear(&o->message);
    }
}

/* Of a replay: the steps before the one that ended the process. */
static void add_replayed(work *w) {
    if (w->job->schedule && w->noticed.count) {
        outcome_add(&w->job->outcome, &vector_last(&w->noticed));
        w->noticed.count--;
    }
}

static void explain(work *w, const child_report *r, uint32_t worker) {
    child_report last = {0};
    role place = {.work = find_place,
                  .receive = receive,
                  .most_seconds = 2,
                  .inherits = true,
                  .place = worker};
    outcome *o = &w->job->outcome;
    outcome_free(o);
    o->model = w->job->settings->model;
    o->counters = witness_status(supervisor_witness(&w->supervisor, worker))->counters;
    if (w->job->algorithm) {
        text_append(&o->algorithm, w->job->algorithm->name);
    }
    if (r->end == CHILD_INTERRUPTED) {
        explain_interruption(w, r);
        return;
    }
    if ((r->end == CHILD_DIED || r->end == CHILD_STUCK) && w->assignment.path[0]) {
        supervisor_run(&w->supervisor, &place, w, &last);
        if (last.end != CHILD_FINISHED) {
            text_clear(&w->place);
        }
        child_report_free(&last);
    }
    death_explain(r, text_string(&w->place), o);
}

/* ---- several workers ---- */

/* Why there is only one, or NULL. */
static const char *reason_for_one(const work *w) {
    const settings *s = w->job->settings;
    return s->allow_files                    ? "the program may change files"
           : s->max_executions               ? "--max-executions counts in order"
           : s->first.policy == FIRST_RANDOM ? "--first=random makes its picks in order"
           : !w->job->algorithm->work        ? "the algorithm has no work that can be shared"
                                             : NULL;
}

/* Some work ended every process that did it, or nothing could be reported. */
static void explain_loss(work *w, team_result *r) {
    outcome *o = &w->job->outcome;
    explain(w, &r->report, r->place);
    o->counters = r->counters;
    o->seconds = r->seconds;
    add_noticed(w);
    if (r->has_item) {
        outcome_warn(o,
                     "an execution has ended every process that explored it; the last finding "
                     "has %sits schedule",
                     r->steps_left_out ? "the beginning of " : "");
        outcome_add(o, &r->item);
    } else if (r->report.end == CHILD_DIED && r->report.phase == PHASE_EXPLORING &&
               w->job->settings->jobs <= 1) {
        outcome_note(o,
                     "with -j 2 the work is done again, and the schedule of the execution that "
                     "ended the process is reported");
    }
    w->answered = true;
}

static void warn_of_deaths(outcome *o, const team_result *r) {
    for (uint32_t i = 0; i < r->deaths.count; i++) {
        outcome_warn(o, "%s", text_string(&vector_at(&r->deaths, i)));
    }
    if (r->more_deaths) {
        outcome_warn(o, "%u more workers were ended; their work was done again", r->more_deaths);
    }
}

/* How to continue with what is left. */
static void note_rest(outcome *o, const team_result *r, const char *path) {
    if (path && r->left && !r->failed && !text_length(&r->unsaved)) {
        outcome_note(o, "the remaining work is in %s: heddle check --resume=%s continues it", path,
                     path);
    }
}

/* Findings that came before their outcome did not. */
static void forget_findings(void *context) {
    work *w = context;
    outcome_free(&w->job->outcome);
    w->job->outcome.model = w->job->settings->model;
}

static void run_team(work *w, const role *r, uint32_t workers) {
    team_result result;
    team_settings settings = {
        .supervisor = &w->supervisor,
        .role = r,
        .context = w,
        .assignment = &w->assignment,
        .report_again = forget_findings,
        .most = workers,
        .persists = w->job->settings->jobs > 1 || w->job->settings->checkpoint || w->job->resumed,
        .delay = workers_delay(),
        .progress = &w->progress,
        .checkpoint = &w->checkpoint,
        .path = w->job->settings->checkpoint,
        .save_every = workers_save_every(),
        .cut = w->job->cut};
    w->assignment.workers = workers;
    team *t = team_run(&settings, &result);
    if (w->job->cut && !result.failed && !result.lost) {
        checkpoint_take_over(w->job->resumed, &w->checkpoint);
    } else if (result.lost || !w->answered) {
        explain_loss(w, &result);
    }
    outcome *o = &w->job->outcome;
    warn_of_deaths(o, &result);
    if (result.alone && w->job->settings->jobs) {
        outcome_note(o, "one worker: %s", result.alone);
    }
    if (result.alone && settings.path) {
        outcome_warn(o, "the checkpoint has no partial results: %s", result.alone);
    }
    o->forecast = result.forecast;
    o->workers = result.workers;
    if (text_length(&result.unsaved)) {
        outcome_warn(o, "%s", text_string(&result.unsaved));
    }
    if (store_complaint()) {
        outcome_warn(o, "%s", store_complaint());
    }
    note_rest(o, &result, settings.path);
    team_free(t, &result);
}

/* True if nothing is left to report. */
static bool run_role(work *w, const role *r, bool answers) {
    child_report report;
    supervisor_run(&w->supervisor, r, w, &report);
    if (report.end != CHILD_FINISHED || (answers && !w->answered)) {
        explain(w, &report, 0);
        add_noticed(w);
        add_replayed(w);
        w->answered = true;
    }
    child_report_free(&report);
    return w->answered;
}

/* Takes the work of the checkpoint that is resumed. False: it belongs to another program,
 * or the program would read something else now. */
static bool prepare_checkpoint(work *w) {
    const job *j = w->job;
    text message = {0};
    uint64_t program = checkpoint_hash_program(j->settings, w->assignment.path);
    bool same =
        !j->resumed ||
        (checkpoint_is_of(j->resumed, program, &message) &&
         (checkpoint_is_finished(j->resumed) || inputs_are_same(&j->resumed->stretches, &message)));
    checkpoint_begin(&w->checkpoint, j->settings);
    w->checkpoint.program = program;
    if (!same) {
        outcome_fail(&w->job->outcome, VERDICT_ERROR, text_string(&message));
    } else if (j->resumed) {
        checkpoint_take_over(&w->checkpoint, j->resumed);
    }
    text_free(&message);
    return same;
}

static void explore_with(work *w, const role *r) {
    uint64_t workers = w->job->schedule ? 1 : workers_wanted(w->job->settings);
    bool keeps = w->job->settings->checkpoint || w->job->resumed;
    const char *one = workers > 1 ? reason_for_one(w) : NULL;
    if (keeps && !prepare_checkpoint(w)) {
        return;
    }
    if (w->job->schedule || !w->job->algorithm->work || !native_share_threads()) {
        run_role(w, r, true);
        w->job->outcome.workers = 1;
    } else {
        run_team(w, r, one ? 1 : (uint32_t)workers);
    }
    if (one && w->job->settings->jobs) {
        outcome_note(&w->job->outcome, "one worker: %s", one);
    }
}

static void run_roles(work *w) {
    const settings *s = w->job->settings;
    double watchdog = settings_watchdog_ms(s) / 1e3;
    role building = {.work = build, .receive = receive, .speaks = true};
    role exploring = {.work = explore,
                      .receive = receive,
                      .watch = show_progress,
                      .beat = worker_beat,
                      .most_silence = watchdog * 12,
                      .most_construction = watchdog,
                      .can_stop = true,
                      .patience = s->checkpoint ? SAVING_PATIENCE : 0,
                      .speaks = s->echo && !w->job->keep};
    double started = monotonic_seconds();
    if (w->assignment.directory[0] && run_role(w, &building, false)) {
        return;
    }
    double built = monotonic_seconds();
    explore_with(w, &exploring);
    w->job->outcome.build_seconds = built - started;
    w->job->outcome.part = w->checkpoint.part;
    w->job->outcome.parts = w->checkpoint.parts;
}

void job_run(job *j) {
    work w = {.job = j, .assignment = {.job = j, .workers = 1}};
    j->outcome.model = j->settings->model;
    char message[NATIVE_MESSAGE_SIZE];
    bool terminal =
        is_terminal(stderr) && !j->settings->no_progress && !j->settings->quiet && !j->schedule;
    w.assignment.settings_checksum = settings_checksum(j->settings);
    w.assignment.own_checksum = w.assignment.settings_checksum;
    if (!supervisor_open(&w.supervisor, j->settings->time_limit_ms)) {
        outcome_fail(&j->outcome, VERDICT_ERROR,
                     "cannot start the supervisor: too little memory, or too many open files");
    } else if (load_needs_build(j->settings) &&
               !directory_create(w.assignment.directory, message)) {
        outcome_fail(&j->outcome, VERDICT_ERROR, message);
    } else {
        w.supervisor.clean = directory_remove_present;
        progress_begin(&w.progress, terminal ? stderr : NULL);
        run_roles(&w);
        progress_end(&w.progress);
        memcpy(j->directory, w.assignment.directory, sizeof j->directory);
        memcpy(j->path, w.assignment.path, sizeof j->path);
        if (!j->keep) {
            directory_remove_present();
        }
    }
    supervisor_close(&w.supervisor);
    text_free(&w.place);
    forget_noticed(&w);
    vector_free(&w.noticed);
    checkpoint_free(&w.checkpoint);
}

void job_free(job *j) {
    directory_remove_present();
    outcome_free(&j->outcome);
}
