#include "cli/team_plan.h"

#include <signal.h>

#include "base/witness.h"
#include "cli/workers.h"

enum { LOOKS_AHEAD_MOST = 3 /* seconds */ };

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

/* The stretches from number `index` on. */
void team_cut(team *t, uint32_t index) {
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

static uint32_t count_workers(const team *t) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < t->workers.count; i++) {
        count += worker_is_there(vector_at(&t->workers, i));
    }
    return count;
}

static uint32_t count_here(const team *t) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < t->workers.count; i++) {
        const worker *w = vector_at(&t->workers, i);
        count += worker_is_there(w) && !worker_is_remote(w);
    }
    return count;
}

static worker *add_place(team *t) {
    worker *w = memory_resize(NULL, 0, sizeof *w);
    *w = (worker){.team = t, .place = t->workers.count};
    vector_push(&t->workers, w);
    return w;
}

void team_add_places(team *t) {
    for (uint32_t i = 0; i <= ranks_others(); i++) {
        add_place(t);
    }
}

/* A free place here, or on another rank; NULL: all are taken. */
static worker *free_place(team *t, bool remote) {
    for (uint32_t i = 0; i < t->workers.count; i++) {
        worker *w = vector_at(&t->workers, i);
        if (!w->watch && worker_is_remote(w) == remote && !w->unusable) {
            return w;
        }
    }
    return remote ? NULL : add_place(t);
}

static void start_at(team *t, worker *w, stretch *whole) {
    finding_free(&w->item);
    *w = (worker){.team = t,
                  .place = w->place,
                  .stretch = whole,
                  .leads = whole,
                  .role = t->role,
                  .left.known = true};
    if (worker_is_remote(w)) {
        w->generation = ranks_next_generation(w->place);
        w->role.work = team_stand_in;
        w->role.input = ranks_wire(w->place);
    }
    t->settings.assignment->membership = (membership){.active = true,
                                                      .empty = !whole,
                                                      .careful = whole && whole->deaths,
                                                      .eager = workers_are_eager(),
                                                      .keeps = t->settings.path != NULL,
                                                      .resumed = t->resumed,
                                                      .executions = whole ? 0 : t->executions};
    w->watch = supervisor_start(t->settings.supervisor, &w->role, w, w->place);
    uint32_t count = count_workers(t);
    t->result->workers = count > t->result->workers ? count : t->result->workers;
}

worker *team_start_worker(team *t, stretch *whole) {
    worker *w = free_place(t, false);
    start_at(t, w, whole);
    return w->watch ? w : NULL;
}

/* Only processes on this machine show where they died, so work that ended one is done here. */
static worker *find_idle(const team *t, bool here) {
    for (uint32_t i = 0; i < t->workers.count; i++) {
        worker *w = vector_at(&t->workers, i);
        bool suits = !here || !worker_is_remote(w);
        if (worker_is_there(w) && w->ready && !w->stretch && suits) {
            return w;
        }
    }
    return NULL;
}

const status_page *worker_status(const worker *w) {
    return witness_status(supervisor_witness(w->team->settings.supervisor, w->place));
}

void team_dismiss_all(team *t, const worker *but) {
    for (uint32_t i = 0; i < t->workers.count; i++) {
        worker *w = vector_at(&t->workers, i);
        if (w != but && worker_is_there(w)) {
            dismiss(w);
        }
    }
}

bool team_has_workers(const team *t) {
    return count_workers(t) != 0;
}

/* ---- the end ---- */

/* One of the workers, which has the program loaded, makes the report. */
static void send_report(team *t) {
    const team_settings *s = &t->settings;
    bool from_start = t->reporter->leads && t->restarts == 0 && !t->resumed;
    tally all = {0};
    bytes content = {0};
    stretches_add_up(&t->stretches, &all);
    enum exploration_end end = stretches_end(&t->stretches, &all);
    bytes_put_number(&content, end == EXPLORATION_INTERRUPTED && t->stopped ? t->stopped : end);
    bytes_put_number(&content, s->supervisor->interruption == SIGALRM);
    bytes_put_real(&content, t->seconds_before);
    bytes_put_real(&content, from_start || !t->began ? 0 : monotonic_seconds() - t->began);
    bytes_put_number(&content, t->peak_bytes);
    tally_encode(&all, &content);
    supervisor_send(t->reporter->watch, MESSAGE_REPORT, &content);
    t->reported = true;
    tally_free(&all);
    bytes_free(&content);
}

/* The others report their warnings, and end. */
static void begin_to_finish(team *t) {
    t->finishing = true;
    t->reporter = find_idle(t, false);
    for (uint32_t i = 0; i < t->workers.count; i++) {
        worker *w = vector_at(&t->workers, i);
        if (w == t->reporter || !worker_is_there(w)) {
            continue;
        }
        if (w->ready) {
            supervisor_send(w->watch, MESSAGE_QUIT, &(bytes){0});
        } else {
            dismiss(w);
        }
    }
    if (t->reporter) {
        return;
    }
    tally all = {0};
    stretches_add_up(&t->stretches, &all);
    if (team_is_stopped(t) && !all.errors.count) {
        t->result->lost = true; /* nothing requires loading the program again */
        t->result->report.end = CHILD_INTERRUPTED;
        t->result->report.phase = t->began ? PHASE_EXPLORING : PHASE_LOADING;
    } else {
        t->reporter = team_start_worker(t, NULL);
    }
    tally_free(&all);
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
        waits = waits || (s->state == STRETCH_WAITS && (!s->cut || s->expands));
    }
    return !waits || team_is_stopped(t);
}

/* ---- who does what ---- */

static void give(worker *w, stretch *s) {
    bytes content = {0};
    bytes_put_number(&content, s->deaths != 0);
    bytes_put_number(&content, w->team->pieces);
    bytes_put_number(&content, s->expands);
    bool good = stored_get(&s->work, &content);
    if (good) {
        supervisor_send(w->watch, MESSAGE_WORK, &content);
    }
    bytes_free(&content);
    if (!good) {
        return; /* store_complaint ends everything */
    }
    s->state = STRETCH_RUNS;
    w->stretch = s;
    w->asked = false;
    w->poor_until = 0;
    w->saved = monotonic_seconds();
}

/* If there are too few pieces, one execution is run of the piece that leaves the most steps open,
 * which is the most work; the pieces that it leaves take its place. */
static void expand(team *t) {
    stretch *largest = NULL;
    uint32_t pieces = 0;
    for (uint32_t i = 0; i < t->stretches.count; i++) {
        stretch *s = vector_at(&t->stretches, i);
        bool waits = s->state == STRETCH_WAITS;
        pieces += waits;
        if (s->state == STRETCH_RUNS || (waits && (!s->cut || s->expands))) {
            return;
        }
        largest = waits && (!largest || s->length <= largest->length) ? s : largest;
    }
    if (largest && pieces < t->settings.cut) {
        largest->expands = true;
    }
}

static void hand_out(team *t) {
    for (uint32_t i = 0; i < t->stretches.count; i++) {
        stretch *s = vector_at(&t->stretches, i);
        worker *w;
        if (s->state != STRETCH_WAITS || (s->cut && !s->expands)) {
            continue;
        }
        if (s->whole) {
            team_dismiss_all(t, NULL); /* no other worker has work */
            s->state = STRETCH_RUNS;
            t->failed = t->failed || !team_start_worker(t, s);
        } else if ((w = find_idle(t, s->deaths != 0))) {
            give(w, s);
        }
    }
}

void worker_ask(worker *w, bool wanted) {
    bytes content = {0};
    bytes_put_number(&content, wanted);
    supervisor_send(w->watch, MESSAGE_SHARE, &content);
    bytes_free(&content);
}

/* Workers without work for which no other worker was asked yet. */
static uint32_t count_wanting(const team *t) {
    uint32_t wanting = 0, asked = 0;
    for (uint32_t i = 0; i < t->workers.count; i++) {
        const worker *w = vector_at(&t->workers, i);
        wanting += worker_is_there(w) && w->ready && !w->stretch;
        asked += worker_is_there(w) && w->asked;
    }
    return wanting > asked ? wanting - asked : 0;
}

/* Asks as many workers as there are without work. Those that had none to give are asked again
 * later. */
static void ask(team *t) {
    uint32_t wanted = count_wanting(t), count = t->workers.count;
    double time = monotonic_seconds();
    for (uint32_t i = 0; i < count && wanted; i++) {
        worker *w = vector_at(&t->workers, (t->turn + i) % count);
        if (!worker_is_there(w) || !worker_may_give(w) || w->asked) {
            continue;
        }
        if (time < w->poor_until) {
            supervisor_look_at(t->settings.supervisor, w->poor_until);
            continue;
        }
        worker_ask(w, true);
        w->asked = true;
        t->turn = w->place + 1;
        wanted--;
    }
}

/* After workers have died, what is left is reported from time to time, so that not everything is
 * lost with the next one: more often, the more workers died without any progress. */
static void save(team *t) {
    double time = monotonic_seconds(), pause = 1.0 / (1 + t->fruitless_deaths);
    for (uint32_t i = 0; i < t->workers.count && t->result->deaths.count; i++) {
        worker *w = vector_at(&t->workers, i);
        if (worker_explores(w) && time - w->saved >= pause) {
            w->saved = time;
            worker_ask(w, false);
        }
    }
}

/* The result of a look ahead does not depend on the number of workers, unless it takes very
 * long. */
static bool may_recruit(const team *t) {
    double time = t->began ? monotonic_seconds() - t->began : 0;
    bool looks_ahead = false;
    for (uint32_t i = 0; i < t->workers.count; i++) {
        const worker *w = vector_at(&t->workers, i);
        if (worker_is_there(w) && worker_status(w)->alone) {
            return false;
        }
        looks_ahead = looks_ahead || (worker_is_there(w) && w->leads && !worker_status(w)->shares);
    }
    return t->began && time >= t->settings.delay && (!looks_ahead || time >= LOOKS_AHEAD_MOST);
}

/* How many workers there may be by now: two after the delay, four after twice as long, and so on,
 * so that starting them takes only a part of the time, whenever the exploration ends. */
static uint32_t due_workers(const team *t) {
    double delays = t->settings.delay ? (monotonic_seconds() - t->began) / t->settings.delay : 0;
    double due = t->settings.delay ? 2 * delays : t->settings.most;
    return due < t->settings.most ? (uint32_t)due : t->settings.most;
}

/* One worker on each of the other ranks. */
static void recruit_elsewhere(team *t, uint32_t most) {
    worker *w;
    while (count_workers(t) < most && (w = free_place(t, true))) {
        w->unusable = !ranks_has(w->place);
        if (!w->unusable) {
            start_at(t, w, NULL);
        }
        if (!w->watch) {
            return;
        }
    }
}

/* Work that no worker is left for cannot wait. */
static void recruit(team *t) {
    if (!team_has_workers(t) && !team_start_worker(t, NULL)) {
        t->result->lost = true;
        t->result->report.end = CHILD_NOT_STARTED;
    }
    if (!may_recruit(t) || text_length(&t->alone) || t->failures >= FAILURES_MOST) {
        return;
    }
    uint32_t due = due_workers(t);
    uint32_t here = t->settings.most > ranks_others() ? t->settings.most - ranks_others() : 1;
    while (count_here(t) < here && count_workers(t) < due && team_start_worker(t, NULL)) {
    }
    recruit_elsewhere(t, due);
}

/* While workers may still be started, checks become rarer with time. */
static void look_again(team *t) {
    enum { PART = 8 };
    static const double LEAST = 0.001, MOST = 0.1;
    double time = monotonic_seconds(), pause = (time - t->started) / PART;
    if (t->result->workers < t->settings.most && pause < MOST) {
        supervisor_look_at(t->settings.supervisor, time + (pause > LEAST ? pause : LEAST));
    }
}

/* Work cannot be stored or read: all workers stop. */
static void heed_store(team *t) {
    if (store_complaint() && !team_is_stopped(t)) {
        t->stopped = EXPLORATION_INTERRUPTED;
        supervisor_interrupt(t->settings.supervisor);
    }
}

void team_arrange(team *t) {
    heed_store(t);
    if (t->settings.cut) {
        expand(t);
    }
    if (t->failed || t->result->lost || (t->settings.cut && is_over(t))) {
        team_dismiss_all(t, NULL);
    } else if (t->finishing) {
        finish(t);
    } else if (is_over(t)) {
        begin_to_finish(t);
        finish(t);
    } else if (!team_is_stopped(t)) {
        hand_out(t);
        recruit(t);
        look_again(t);
        ask(t);
        save(t);
        team_save_in_time(t);
        team_forecast_in_time(t);
    }
}
