#include "cli/team.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "base/witness.h"
#include "cli/workers.h"

enum { DEATHS_MOST = 2, DEATHS_MOST_IN_ALL = 30, RESTARTS_MOST = 3, FAILURES_MOST = 2 };
static const double POOR_PAUSE = 0.02; /* seconds before a worker that had no work is asked again */

typedef struct worker {
    team *team;
    uint32_t place;
    watch *watch; /* NULL: there is no process */
    stretch *stretch;
    bool ready, asked, discarded, leads;
    double poor_until;
    double saved;      /* when it was last asked what is left */
    uint64_t reported; /* executions that it has reported */
    finding item;      /* what it does, if it is careful */
    bool has_item;
} worker;

struct team {
    team_settings settings;
    role role;
    stretch_list stretches;
    VECTOR(worker *) workers; /* by place */
    team_result *result;
    worker *reporter;
    bool finishing, reported, failed;
    double began; /* when exploring was first seen; 0: not yet */
    uint32_t restarts, failures, turn;
    text alone;
    bytes warnings; /* of those who have quit */
    uint32_t warning_count;
    bool unseen;
    uint64_t peak_bytes;
};

static void arrange(team *);

/* ---- stretches ---- */

static worker *worker_of(const team *t, const stretch *s) {
    for (uint32_t i = 0; i < t->workers.count; i++) {
        if (vector_at(&t->workers, i)->stretch == s) {
            return vector_at(&t->workers, i);
        }
    }
    return NULL;
}

static void dismiss(worker *w) {
    w->stretch = NULL;
    w->discarded = true;
    if (w->watch) {
        supervisor_end(w->watch);
    }
}

/* From number `index` on. */
static void stretches_cut(team *t, uint32_t index) {
    while (t->stretches.count > index) {
        stretch *s = vector_pop(&t->stretches);
        worker *w = worker_of(t, s);
        if (w) {
            dismiss(w);
        }
        stretch_free(s);
    }
}

/* ---- workers ---- */

static bool is_there(const worker *w) {
    return w->watch && !w->discarded;
}

static uint32_t count_workers(const team *t) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < t->workers.count; i++) {
        count += is_there(vector_at(&t->workers, i));
    }
    return count;
}

static worker *free_place(team *t) {
    for (uint32_t i = 0; i < t->workers.count; i++) {
        if (!vector_at(&t->workers, i)->watch) {
            return vector_at(&t->workers, i);
        }
    }
    worker *w = memory_resize(NULL, 0, sizeof *w);
    *w = (worker){.place = t->workers.count};
    vector_push(&t->workers, w);
    return w;
}

/* One that begins with a stretch from the beginning, or with nothing. */
static worker *start_worker(team *t, stretch *whole) {
    worker *w = free_place(t);
    finding_free(&w->item);
    *w = (worker){.team = t, .place = w->place, .stretch = whole, .leads = whole};
    t->settings.assignment->membership = (membership){.active = true,
                                                      .empty = !whole,
                                                      .careful = whole && whole->deaths,
                                                      .eager = workers_are_eager()};
    w->watch = supervisor_start(t->settings.supervisor, &t->role, w, w->place);
    uint32_t count = count_workers(t);
    t->result->workers = count > t->result->workers ? count : t->result->workers;
    return w->watch ? w : NULL;
}

static worker *find_idle(const team *t) {
    for (uint32_t i = 0; i < t->workers.count; i++) {
        worker *w = vector_at(&t->workers, i);
        if (is_there(w) && w->ready && !w->stretch) {
            return w;
        }
    }
    return NULL;
}

static const status_page *status_of(const worker *w) {
    return witness_status(supervisor_witness(w->team->settings.supervisor, w->place));
}

static void everybody_goes(team *t, const worker *but) {
    for (uint32_t i = 0; i < t->workers.count; i++) {
        worker *w = vector_at(&t->workers, i);
        if (w != but && is_there(w)) {
            dismiss(w);
        }
    }
}

/* ---- the end ---- */

/* One of the workers, which has the program loaded, makes the report. */
static void send_report(team *t) {
    const team_settings *s = &t->settings;
    bool from_start = t->reporter->leads && t->restarts == 0;
    tally all = {0};
    bytes content = {0};
    stretches_add_up(&t->stretches, &all);
    bytes_put_number(&content, stretches_end(&t->stretches, &all));
    bytes_put_number(&content, s->supervisor->interruption == SIGALRM);
    bytes_put_real(&content, from_start || !t->began ? 0 : monotonic_seconds() - t->began);
    bytes_put_number(&content, t->peak_bytes);
    bytes_put_number(&content, t->unseen);
    bytes_put_number(&content, t->warning_count);
    bytes_put_bytes(&content, &t->warnings);
    tally_encode(&all, &content);
    supervisor_send(t->reporter->watch, MESSAGE_REPORT, &content);
    t->reported = true;
    tally_free(&all);
    bytes_free(&content);
}

/* The others say what is to be warned of, and go. */
static void begin_to_finish(team *t) {
    t->finishing = true;
    t->reporter = find_idle(t);
    for (uint32_t i = 0; i < t->workers.count; i++) {
        worker *w = vector_at(&t->workers, i);
        if (w == t->reporter || !is_there(w)) {
            continue;
        }
        if (w->ready) {
            supervisor_send(w->watch, MESSAGE_QUIT, &(bytes){0});
        } else {
            dismiss(w);
        }
    }
    if (!t->reporter) {
        t->reporter = start_worker(t, NULL);
    }
}

static void finish(team *t) {
    if (!t->reporter || t->reported || !t->reporter->ready) {
        return;
    }
    for (uint32_t i = 0; i < t->workers.count; i++) {
        const worker *w = vector_at(&t->workers, i);
        if (w != t->reporter && w->watch) {
            return;
        }
    }
    send_report(t);
}

static bool is_over(const team *t) {
    bool waits = false;
    for (uint32_t i = 0; i < t->stretches.count; i++) {
        const stretch *s = vector_at(&t->stretches, i);
        if (s->state == STRETCH_RUNS) {
            return false;
        }
        waits = waits || s->state == STRETCH_WAITS;
    }
    return !waits || supervisor_interrupted(t->settings.supervisor);
}

/* ---- who does what ---- */

static void give(worker *w, stretch *s) {
    bytes content = {0};
    bytes_put_number(&content, s->deaths != 0);
    bytes_put_bytes(&content, &s->work);
    supervisor_send(w->watch, MESSAGE_WORK, &content);
    bytes_free(&content);
    s->state = STRETCH_RUNS;
    w->stretch = s;
    w->asked = false;
    w->poor_until = 0;
    w->saved = monotonic_seconds();
}

static void hand_out(team *t) {
    for (uint32_t i = 0; i < t->stretches.count; i++) {
        stretch *s = vector_at(&t->stretches, i);
        worker *w;
        if (s->state != STRETCH_WAITS) {
            continue;
        }
        if (s->whole) {
            everybody_goes(t, NULL); /* nobody else has work */
            s->state = STRETCH_RUNS;
            t->failed = t->failed || !start_worker(t, s);
        } else if ((w = find_idle(t))) {
            give(w, s);
        }
    }
}

static void send_share(worker *w, bool wanted) {
    bytes content = {0};
    bytes_put_number(&content, wanted);
    supervisor_send(w->watch, MESSAGE_SHARE, &content);
    bytes_free(&content);
}

static bool can_be_asked(const worker *w, double time) {
    return is_there(w) && w->stretch && !w->asked && time >= w->poor_until &&
           status_of(w)->phase == PHASE_EXPLORING;
}

/* As many as there are workers without work. */
static void ask(team *t) {
    uint32_t wanted = 0, count = t->workers.count;
    for (uint32_t i = 0; i < count; i++) {
        const worker *w = vector_at(&t->workers, i);
        wanted += is_there(w) && w->ready && !w->stretch;
        wanted -= wanted && is_there(w) && w->asked;
    }
    for (uint32_t i = 0; i < count && wanted; i++) {
        worker *w = vector_at(&t->workers, (t->turn + i) % count);
        if (can_be_asked(w, monotonic_seconds())) {
            send_share(w, true);
            w->asked = true;
            t->turn = w->place + 1;
            wanted--;
        }
    }
}

/* What is left is said from time to time, so that not all is lost with a worker. */
static void save(team *t) {
    double every = t->result->deaths.count ? 1 : t->settings.save_every;
    double time = monotonic_seconds();
    for (uint32_t i = 0; i < t->workers.count && every; i++) {
        worker *w = vector_at(&t->workers, i);
        if (is_there(w) && w->stretch && time - w->saved >= every &&
            status_of(w)->phase == PHASE_EXPLORING) {
            w->saved = time;
            send_share(w, false);
        }
    }
}

static void recruit(team *t) {
    bool time = t->began && monotonic_seconds() - t->began >= t->settings.delay;
    if (!time || text_length(&t->alone) || t->failures >= FAILURES_MOST) {
        return;
    }
    while (count_workers(t) < t->settings.most && start_worker(t, NULL)) {
    }
}

static void arrange(team *t) {
    if (t->failed || t->result->lost) {
        everybody_goes(t, NULL);
    } else if (t->finishing) {
        finish(t);
    } else if (is_over(t)) {
        begin_to_finish(t);
        finish(t);
    } else if (!supervisor_interrupted(t->settings.supervisor)) {
        hand_out(t);
        recruit(t);
        ask(t);
        save(t);
    }
}

/* ---- what workers say ---- */

static bool receive_stretch(worker *w, byte_reader *content) {
    team *t = w->team;
    stretch *s = w->stretch;
    stretch_report r;
    stretch_report_decode(&r, content);
    bool good = !content->failed && (s || r.event == STRETCH_READY || r.event == STRETCH_POOR);
    w->asked = w->asked && r.event == STRETCH_READY;
    if (good && r.event == STRETCH_READY) {
        w->ready = true;
    } else if (good && r.event == STRETCH_POOR) {
        w->poor_until = monotonic_seconds() + POOR_PAUSE;
    } else if (good) {
        tally_add(&s->tally, &r.tally);
        w->reported += r.tally.counters.executions;
        s->whole = false;
        s->deaths = 0;
        bytes_free(&s->work);
        s->work = r.kept;
        r.kept = (bytes){0};
        if (r.given.content.count) {
            stretch *next = stretch_add(&t->stretches, stretch_index(&t->stretches, s) + 1);
            next->work = r.given;
            r.given = (bytes){0};
        }
        if (r.event != STRETCH_SHARED) {
            bool interrupted = supervisor_interrupted(t->settings.supervisor);
            w->stretch = NULL;
            w->ready = true;
            s->state = STRETCH_OVER;
            s->interrupted = r.event == STRETCH_EARLY && interrupted;
            s->end = r.event == STRETCH_EARLY && !interrupted ? r.end : EXPLORATION_COMPLETE;
            if (s->end) {
                stretches_cut(t, stretch_index(&t->stretches, s) + 1);
            }
            stretches_join(&t->stretches);
        }
    }
    stretch_report_free(&r);
    return good;
}

/* The program is not what the worker took it for: all that was done is worth nothing, and it begins
 * anew. What it has learnt, others learn with the work that they get. */
static void start_over(worker *w) {
    team *t = w->team;
    everybody_goes(t, w);
    w->stretch = NULL;
    stretches_cut(t, 0);
    stretch *s = stretch_add(&t->stretches, 0);
    s->whole = true;
    s->state = STRETCH_RUNS;
    w->stretch = s;
    w->reported = 0;
    w->asked = false;
    if (!w->leads && ++t->restarts >= RESTARTS_MOST && !text_length(&t->alone)) {
        text_append(&t->alone, "the workers did not find the program to be the same");
    }
}

static bool receive_alone(worker *w, byte_reader *content) {
    text_clear(&w->team->alone);
    bytes_take_string(content, &w->team->alone);
    everybody_goes(w->team, w);
    text_append(&w->team->alone, " has no work that can be shared");
    return !content->failed;
}

static bool receive_notes(team *t, byte_reader *content) {
    t->unseen = bytes_take_flag(content) || t->unseen;
    t->peak_bytes += bytes_take_number(content, UINT64_MAX);
    uint32_t count = bytes_take_count(content);
    for (uint32_t i = 0; i < count && !content->failed; i++) {
        text warning = {0};
        bytes_take_string(content, &warning);
        bytes_put_string(&t->warnings, text_string(&warning));
        t->warning_count++;
        text_free(&warning);
    }
    return !content->failed;
}

static bool receive_item(worker *w, byte_reader *content) {
    finding_free(&w->item);
    w->has_item = finding_decode(&w->item, content);
    return w->has_item;
}

/* A worker that could not begin is no reason to give up, unless it is the first one. */
static bool receive_failure(worker *w, byte_reader *content) {
    team *t = w->team;
    if (!w->leads && !w->ready) {
        text ignored = {0};
        bytes_take_string(content, &ignored);
        text_free(&ignored);
        return !content->failed;
    }
    bool good = t->settings.role->receive(t->settings.context, MESSAGE_FAILURE, content);
    t->failed = true;
    return good;
}

static bool receive(void *context, enum message_type type, byte_reader *content) {
    worker *w = context;
    team *t = w->team;
    bool good;
    switch (type) {
        case MESSAGE_STRETCH: good = receive_stretch(w, content); break;
        case MESSAGE_ALONE: good = receive_alone(w, content); break;
        case MESSAGE_NOTES: good = receive_notes(t, content); break;
        case MESSAGE_ITEM: good = receive_item(w, content); break;
        case MESSAGE_FAILURE: good = receive_failure(w, content); break;
        case MESSAGE_VOID: start_over(w); /* fall through */
        default: good = t->settings.role->receive(t->settings.context, type, content);
    }
    arrange(t);
    return good;
}

/* ---- what happens to workers ---- */

static void count_lost(worker *w) {
    const counters *c = &status_of(w)->counters;
    w->stretch->tally.counters.executions += c->executions - w->reported;
}

static void note_death(team *t, const worker *w, const child_report *r) {
    text death = {0};
    text_format(&death, "worker %u was ended", w->place + 1);
    if (r->end == CHILD_STUCK) {
        text_append(&death, " because it did nothing any more");
    } else if (r->end == CHILD_DIED && WIFSIGNALED(r->status)) {
        int number = WTERMSIG(r->status);
        text_format(&death, " by signal %d (%s)", number, strsignal(number));
    }
    text_append(&death, "; its work was done again");
    vector_push(&t->result->deaths, death);
}

static void lose(team *t, worker *w, child_report *r) {
    team_result *result = t->result;
    result->lost = true;
    result->report = *r;
    r->said = (text){0};
    result->place = w->place;
    result->item = w->item;
    result->has_item = w->has_item;
    w->item = (finding){0};
    w->has_item = false;
}

static void handle_death(worker *w, child_report *r) {
    team *t = w->team;
    stretch *s = w->stretch;
    if (w == t->reporter) {
        lose(t, w, r);
    } else if (s && supervisor_interrupted(t->settings.supervisor)) {
        count_lost(w);
        s->state = STRETCH_OVER;
        s->interrupted = true;
    } else if (s && (++s->deaths >= DEATHS_MOST || t->result->deaths.count >= DEATHS_MOST_IN_ALL)) {
        lose(t, w, r);
    } else if (s) {
        note_death(t, w, r);
        s->state = STRETCH_WAITS;
    } else {
        t->failures++;
    }
    w->stretch = NULL;
}

static void ended(void *context, child_report *r) {
    worker *w = context;
    team *t = w->team;
    w->watch = NULL;
    if (!w->discarded && !t->failed && !t->result->lost && r->end != CHILD_FINISHED) {
        handle_death(w, r);
    }
    arrange(t);
}

static void work(void *context, channel *c) {
    const team_settings *s = &((worker *)context)->team->settings;
    s->role->work(s->context, c);
}

static uint64_t count_executions(const team *t) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < t->stretches.count; i++) {
        count += vector_at(&t->stretches, i)->tally.counters.executions;
    }
    for (uint32_t i = 0; i < t->workers.count; i++) {
        const worker *w = vector_at(&t->workers, i);
        if (is_there(w) && w->stretch) {
            count += status_of(w)->counters.executions - w->reported;
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
    uint64_t executions = count_executions(t);
    if (t->began && executions && !t->finishing) {
        progress_show(t->settings.progress, executions);
    }
    arrange(t);
}

/* ---- life ---- */

team *team_run(const team_settings *settings, team_result *result) {
    team *t = memory_resize(NULL, 0, sizeof *t);
    *result = (team_result){0};
    *t = (team){.settings = *settings, .role = *settings->role, .result = result};
    t->role.work = work;
    t->role.receive = receive;
    t->role.ended = ended;
    t->role.watch = tick;
    t->role.listens = true;
    stretch *s = stretch_add(&t->stretches, 0);
    s->whole = true;
    s->state = STRETCH_RUNS;
    if (!start_worker(t, s)) {
        result->lost = true;
        result->report.end = CHILD_NOT_STARTED;
    }
    supervisor_wait(settings->supervisor);
    tally all = {0};
    stretches_add_up(&t->stretches, &all);
    result->counters = all.counters;
    result->alone = text_length(&t->alone) ? text_string(&t->alone) : NULL;
    tally_free(&all);
    return t;
}

void team_free(team *t, team_result *result) {
    stretches_cut(t, 0);
    for (uint32_t i = 0; i < t->workers.count; i++) {
        finding_free(&vector_at(&t->workers, i)->item);
        memory_resize(vector_at(&t->workers, i), sizeof(worker), 0);
    }
    for (uint32_t i = 0; i < result->deaths.count; i++) {
        text_free(&vector_at(&result->deaths, i));
    }
    vector_free(&result->deaths);
    vector_free(&t->stretches);
    vector_free(&t->workers);
    text_free(&t->alone);
    bytes_free(&t->warnings);
    finding_free(&result->item);
    child_report_free(&result->report);
    memory_resize(t, sizeof *t, 0);
}
