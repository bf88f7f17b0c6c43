#include "cli/team_plan.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "base/witness.h"
#include "cli/stand_in.h"
#include "cli/workers.h"

enum { RESTARTS_MOST = 100 };
/* Seconds before a worker that had no work to give is asked again: each time twice as long. */
static const double POOR_PAUSE_LEAST = 0.001, POOR_PAUSE_MOST = 0.02;

/* ---- messages from workers ---- */

/* It was ended by something outside the program: the user, a limit. */
static bool was_interrupted(const stretch_report *r) {
    return r->event == STRETCH_EARLY &&
           (r->end == EXPLORATION_INTERRUPTED || r->end == EXPLORATION_LIMIT);
}

static void take_progress(team *t, stretch *s, stretch_report *r) {
    if (was_interrupted(r) && !r->kept.content.count) {
        tally_add(&s->unsaved, &r->tally);
        return;
    }
    tally_add(&s->tally, &r->tally);
    s->whole = false;
    s->deaths = 0;
    stored_put(&s->work, &r->kept);
    if (r->given.content.count) {
        stretch *next = stretch_add(&t->stretches, stretch_index(&t->stretches, s) + 1);
        stored_put(&next->work, &r->given);
        next->piece = s->piece;
    }
}

static bool others_work(const team *t, const stretch *s) {
    for (uint32_t i = 0; i < t->stretches.count; i++) {
        if (vector_at(&t->stretches, i) != s &&
            vector_at(&t->stretches, i)->state == STRETCH_RUNS) {
            return true;
        }
    }
    return false;
}

/* The results stay at the stretch; the pieces follow it. */
static void take_pieces(team *t, stretch *s, stretch_report *r) {
    uint32_t index = stretch_index(&t->stretches, s);
    tally_add(&s->tally, &r->tally);
    s->cut = s->expands = false;
    byte_reader given = byte_reader_of(r->given.content.items, r->given.content.count);
    while (given.at < given.end) {
        uint32_t length = (uint32_t)bytes_take_number(&given, UINT32_MAX);
        byte_reader piece = bytes_take_block(&given);
        stretch *next = stretch_add(&t->stretches, ++index);
        next->cut = true;
        next->length = length;
        bytes work = {0};
        bytes_take_rest(&piece, &work);
        stored_put(&next->work, &work);
    }
    s->state = STRETCH_OVER;
    stored_free(&s->work);
}

/* An error ends everything after it; a limit also ends the work of others. */
static void end_stretch(team *t, stretch *s, const stretch_report *r) {
    s->state = STRETCH_OVER;
    s->interrupted = was_interrupted(r);
    s->end = r->event == STRETCH_EARLY && !s->interrupted ? r->end : EXPLORATION_COMPLETE;
    if (s->end) {
        team_cut(t, stretch_index(&t->stretches, s) + 1);
    }
    if (s->interrupted && !team_is_stopped(t)) {
        t->stopped = r->end;
        if (others_work(t, s)) {
            supervisor_interrupt(t->settings.supervisor);
        }
    }
    stretches_join(&t->stretches);
}

static void note_poor(worker *w) {
    double pause = w->poor_pause ? 2 * w->poor_pause : POOR_PAUSE_LEAST;
    w->poor_pause = pause < POOR_PAUSE_MOST ? pause : POOR_PAUSE_MOST;
    w->poor_until = monotonic_seconds() + w->poor_pause;
}

static bool receive_stretch(worker *w, byte_reader *content) {
    team *t = w->team;
    stretch *s = w->stretch;
    stretch_report r;
    stretch_report_decode(&r, content);
    bool good = !content->failed && (s || r.event == STRETCH_READY || r.event == STRETCH_POOR);
    w->asked = w->asked && r.event == STRETCH_READY;
    w->saving = w->saving && (r.event == STRETCH_READY || r.event == STRETCH_POOR);
    t->forecast_void |= w->forecasting && r.event != STRETCH_READY && r.event != STRETCH_POOR;
    if (good && r.event == STRETCH_READY) {
        w->ready = true;
        t->failures = 0;
    } else if (good && r.event == STRETCH_POOR) {
        note_poor(w);
    } else if (good) {
        w->poor_pause = 0;
        w->has_item = false; /* the announced one is done */
        w->reported += r.tally.counters.executions;
        t->reported_executions += r.tally.counters.executions;
        t->fruitless_deaths = r.tally.counters.executions ? 0 : t->fruitless_deaths;
        if (r.event == STRETCH_CUT) {
            take_pieces(t, s, &r);
        } else {
            take_progress(t, s, &r);
        }
        if (r.event != STRETCH_SHARED) {
            w->stretch = NULL;
            w->ready = true;
            end_stretch(t, s, &r);
        }
    }
    stretch_report_free(&r);
    if (t->stop_after && t->reported_executions >= t->stop_after && !team_is_stopped(t)) {
        supervisor_interrupt(t->settings.supervisor);
    }
    return good;
}

/* The worker has learnt something new about the program: everything that was done is stale, and it
 * starts over. Others get what it has learnt with their work. */
static void start_over(worker *w) {
    team *t = w->team;
    team_dismiss_all(t, w);
    w->stretch = NULL;
    team_cut(t, 0);
    t->result->forecast.known = false;
    t->forecast_due = 0;
    t->settings.checkpoint->restarted = true;
    stretch *s = stretch_add(&t->stretches, 0);
    s->whole = true;
    s->state = STRETCH_RUNS;
    w->stretch = s;
    w->reported = 0;
    w->asked = false;
    if (!w->leads && ++t->restarts >= RESTARTS_MOST && !text_length(&t->alone)) {
        text_append(&t->alone, "the program was not the same for all workers");
    }
}

static bool receive_alone(worker *w, byte_reader *content) {
    text_clear(&w->team->alone);
    bytes_take_string(content, &w->team->alone);
    team_dismiss_all(w->team, w);
    return !content->failed;
}

static bool receive_memory(team *t, byte_reader *content) {
    t->peak_bytes += bytes_take_number(content, UINT64_MAX);
    return !content->failed;
}

static bool receive_item(worker *w, byte_reader *content) {
    finding_free(&w->item);
    w->has_item = finding_decode(&w->item, content);
    return w->has_item;
}

/* If a worker cannot begin, the others continue, unless it is the first one. */
static bool receive_failure(worker *w, byte_reader *content) {
    team *t = w->team;
    if (!w->leads && !w->ready) {
        text why = {0};
        bytes_take_string(content, &why);
        if (!content->failed) {
            team_note_failure(w, text_string(&why));
        }
        text_free(&why);
        return !content->failed;
    }
    bool good = t->settings.role->receive(t->settings.context, MESSAGE_FAILURE, content);
    t->failed = true;
    return good;
}

/* If a worker could not load the program because a limit was reached, that holds for all. */
static bool receive_outcome(worker *w, byte_reader *content) {
    team *t = w->team;
    t->failed = t->failed || w != t->reporter;
    return t->settings.role->receive(t->settings.context, MESSAGE_OUTCOME, content);
}

/* The numbers of threads are in shared memory on this machine. */
static bool receive_number(worker *w, byte_reader *content) {
    bytes answer = {0};
    uint64_t owner, number = bytes_take_number(content, UINT64_MAX);
    uint64_t origin = bytes_take_number(content, UINT64_MAX);
    bool good = !content->failed && native_claim_thread(number, origin, &owner);
    if (good) {
        bytes_put_number(&answer, owner);
        supervisor_send(w->watch, MESSAGE_NUMBER, &answer);
    }
    bytes_free(&answer);
    return good;
}

static bool receive(void *context, enum message_type type, byte_reader *content) {
    worker *w = context;
    team *t = w->team;
    bool good;
    switch (type) {
        case MESSAGE_STRETCH: good = receive_stretch(w, content); break;
        case MESSAGE_ALONE: good = receive_alone(w, content); break;
        case MESSAGE_MEMORY: good = receive_memory(t, content); break;
        case MESSAGE_FORECAST: good = team_take_forecast(w, content); break;
        case MESSAGE_ITEM: good = receive_item(w, content); break;
        case MESSAGE_NUMBER: good = receive_number(w, content); break;
        case MESSAGE_FAILURE: good = receive_failure(w, content); break;
        case MESSAGE_OUTCOME: good = receive_outcome(w, content); break;
        case MESSAGE_VOID: start_over(w); /* fall through */
        default: good = t->settings.role->receive(t->settings.context, type, content);
    }
    team_arrange(t);
    return good;
}

/* ---- ends of workers ---- */

static void ended(void *context, child_report *r) {
    worker *w = context;
    team *t = w->team;
    w->watch = NULL;
    w->saving = w->forecasting = false;
    if (worker_is_remote(w)) {
        ranks_cancel(w->place);
    }
    if (!w->discarded && !t->failed && !t->result->lost && r->end != CHILD_FINISHED) {
        team_handle_death(w, r);
    }
    team_arrange(t);
}

static void work(void *context, channel *c) {
    const team_settings *s = &((worker *)context)->team->settings;
    s->role->work(s->context, c);
}

void team_stand_in(void *context, channel *c) {
    const worker *w = context;
    stand_in_work(w->team->settings.assignment, w->generation, c);
}

uint64_t team_executions(const team *t) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < t->stretches.count; i++) {
        count += vector_at(&t->stretches, i)->tally.counters.executions;
        count += vector_at(&t->stretches, i)->unsaved.counters.executions;
    }
    for (uint32_t i = 0; i < t->workers.count; i++) {
        const worker *w = vector_at(&t->workers, i);
        if (worker_is_there(w) && w->stretch) {
            count += worker_status(w)->counters.executions - w->reported;
        }
    }
    return count;
}

static void tick(void *context, const void *witness) {
    const worker *w = context;
    team *t = w->team;
    if (!t->began && witness_status(witness)->phase == PHASE_EXPLORING) {
        t->began = monotonic_seconds();
    }
    uint64_t executions = team_executions(t);
    if (t->began && executions && !t->finishing) {
        progress_show(t->settings.progress, executions, &t->result->forecast);
    }
    team_arrange(t);
}

/* ---- life ---- */

/* Starts with the program, or with the work of the checkpoint, which is sent to the first
 * worker. */
static void start(team *t) {
    checkpoint *c = t->settings.checkpoint;
    vector_append(&t->stretches, c->stretches.items, c->stretches.count);
    vector_clear(&c->stretches);
    t->resumed = c->resumed;
    t->seconds_before = c->seconds;
    t->pieces = t->settings.cut ? t->settings.cut / (t->stretches.count + 1) + 1 : 0;
    stretch *s = NULL;
    if (!t->resumed) {
        s = stretch_add(&t->stretches, 0);
        s->whole = true;
        s->state = STRETCH_RUNS;
    }
    t->started = monotonic_seconds();
    t->executions = c->parts ? UINT64_MAX : team_executions(t);
    if (team_is_stopped(t)) { /* at the end of the build: the worker would not be notified */
        t->result->lost = true;
        t->result->report = (child_report){.end = CHILD_INTERRUPTED, .phase = PHASE_LOADING};
        return;
    }
    worker *first = team_start_worker(t, s);
    t->executions = UINT64_MAX;
    if (first) {
        first->leads = true;
        team_arrange(t);
    } else {
        t->result->lost = true;
        t->result->report.end = CHILD_NOT_STARTED;
    }
}

team *team_run(const team_settings *settings, team_result *result) {
    team *t = memory_resize(NULL, 0, sizeof *t);
    *result = (team_result){0};
    *t = (team){.settings = *settings, .role = *settings->role, .result = result};
    t->stop_after = workers_stop_after();
    t->role.work = work;
    t->role.receive = receive;
    t->role.ended = ended;
    t->role.watch = tick;
    t->role.listens = true;
    team_add_places(t);
    start(t);
    supervisor_wait(settings->supervisor);
    result->failed = t->failed;
    if (settings->cut) {
        settings->checkpoint->stretches = t->stretches;
        t->stretches = (stretch_list){0};
    }
    team_save(t);
    tally all = {0};
    stretches_add_up(&t->stretches, &all);
    result->counters = all.counters;
    result->left = !stretches_are_over(&t->stretches);
    result->seconds = team_seconds(t);
    result->alone = text_length(&t->alone) ? text_string(&t->alone) : NULL;
    tally_free(&all);
    return t;
}

void team_free(team *t, team_result *result) {
    team_cut(t, 0);
    for (uint32_t i = 0; i < t->workers.count; i++) {
        finding_free(&vector_at(&t->workers, i)->item);
        memory_resize(vector_at(&t->workers, i), sizeof(worker), 0);
    }
    texts_free(&result->deaths);
    vector_free(&t->stretches);
    vector_free(&t->workers);
    text_free(&t->alone);
    finding_free(&result->item);
    child_report_free(&result->report);
    memory_resize(t, sizeof *t, 0);
}
