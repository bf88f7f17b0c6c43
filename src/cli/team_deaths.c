/* Deaths of workers: their work is done again, unless it ends every process that does it. */
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "base/exit_status.h"
#include "cli/last_execution.h"
#include "cli/team_plan.h"

/* Deaths in one item, and of workers that announced none, in one stretch; deaths between which
 * nothing was done; how many of them are named; deaths of workers that put the report together. */
enum {
    DEATHS_MOST = 2,
    DEATHS_MOST_BY_KILL = 4,
    DEATHS_MOST_FRUITLESS = 30,
    DEATHS_NAMED = 30,
    DEATHS_MOST_REPORTING = 3
};

static void name_worker(const worker *w, text *out) {
    if (worker_is_remote(w)) {
        text_format(out, "the worker on rank %u", w->place);
    } else {
        text_format(out, "worker %u", w->place + 1);
    }
}

void team_note_failure(worker *w, const char *why) {
    text words = {0};
    name_worker(w, &words);
    text_format(&words, " could not begin: %s", why);
    vector_push(&w->team->result->deaths, words);
    w->unusable = true;
    w->team->failures += !worker_is_remote(w);
}

static void count_lost(worker *w) {
    const counters *c = &worker_status(w)->counters;
    w->stretch->unsaved.counters.executions += c->executions - w->reported;
}

static void note_death(team *t, const worker *w, const child_report *r) {
    text death = {0};
    name_worker(w, &death);
    text_append(&death, " was ended");
    if (r->end == CHILD_STUCK) {
        text_append(&death, " because it stopped responding");
    } else if (r->end == CHILD_DIED && WIFSIGNALED(r->status)) {
        int number = WTERMSIG(r->status);
        text_format(&death, " by signal %d (%s)", number, strsignal(number));
    }
    text_append(&death, "; its work was done again");
    if (t->result->deaths.count < DEATHS_NAMED) {
        vector_push(&t->result->deaths, death);
    } else {
        t->result->more_deaths++;
        text_free(&death);
    }
}

static void lose(team *t, worker *w, child_report *r) {
    team_result *result = t->result;
    result->lost = true;
    result->report = *r;
    r->error_output = (text){0};
    result->place = w->place;
    result->item = w->item;
    result->has_item = w->has_item;
    w->item = (finding){0};
    w->has_item = false;
    if (result->has_item) {
        const void *witness = supervisor_witness(t->settings.supervisor, w->place);
        result->steps_left_out = last_execution_complete(&result->item, witness);
    }
}

/* No other process has run the program: what ended this one would end the next, and the user waits
 * for an answer. */
static bool was_alone(const team *t) {
    return t->result->workers <= 1 && !t->settings.persists;
}

/* Heddle itself ended the process, with a message: doing its work again would hide that. */
static bool ended_by_heddle(const child_report *r) {
    int status = WIFEXITED(r->status) ? WEXITSTATUS(r->status) : EXIT_VERIFIED;
    return r->end == CHILD_DIED &&
           (status == EXIT_INTERNAL || status == EXIT_USAGE || status == EXIT_INCOMPLETE);
}

/* It had taken the work that it was sent, which may be what has ended it. */
static bool began(const child_report *r) {
    return r->phase != PHASE_WAITING;
}

/* The signal may have come from outside. */
static bool was_killed(const child_report *r) {
    return r->end == CHILD_DIED && WIFSIGNALED(r->status) && WTERMSIG(r->status) == SIGKILL;
}

/* Counts the death. True if the work is to blame: several workers died in the same item, or before
 * they announced any, or there is no progress at all. */
static bool kills_everybody(team *t, const worker *w, const child_report *r) {
    stretch *s = w->stretch;
    uint32_t most = was_killed(r) ? DEATHS_MOST_BY_KILL : DEATHS_MOST;
    t->fruitless_deaths++;
    s->deaths += !w->has_item && began(r);
    if (w->has_item) {
        uint64_t item = last_execution_item(&w->item);
        s->fatalities = s->fatalities && s->fatal == item ? s->fatalities + 1 : 1;
        s->fatal = item;
    }
    return (w->has_item ? s->fatalities >= most : s->deaths > most) ||
           t->fruitless_deaths >= DEATHS_MOST_FRUITLESS;
}

/* It had no work. True: no other process is to be started. */
static bool died_idle(team *t, const worker *w) {
    t->failures += !w->ready;
    return t->failures >= FAILURES_MOST || ++t->fruitless_deaths >= DEATHS_MOST_FRUITLESS;
}

/* True: another worker makes the report. */
static bool reports_again(team *t, const child_report *r) {
    bool again = was_killed(r) && !team_is_stopped(t) && ++t->lost_reports < DEATHS_MOST_REPORTING;
    if (again) {
        t->settings.report_again(t->settings.context);
        t->reporter = NULL;
        t->reported = t->finishing = false;
    }
    return again;
}

void team_handle_death(worker *w, child_report *r) {
    team *t = w->team;
    stretch *s = w->stretch;
    bool lost = s && (ended_by_heddle(r) || was_alone(t) || worker_status(w)->alone);
    t->forecasting = t->forecasting && !s; /* what it had left is unknown */
    if (s && !team_is_stopped(t) && lost) {
        count_lost(w);
    }
    if (w == t->reporter && reports_again(t, r)) {
        note_death(t, w, r);
    } else if (w == t->reporter || lost) {
        lose(t, w, r);
    } else if (s && team_is_stopped(t)) {
        count_lost(w);
        s->state = STRETCH_OVER;
        s->interrupted = true;
    } else if (s && kills_everybody(t, w, r)) {
        lose(t, w, r);
    } else if (s) {
        note_death(t, w, r);
        s->state = STRETCH_WAITS;
    } else if (worker_is_remote(w)) {
        if (!team_is_stopped(t) && !t->finishing) {
            team_note_failure(w, "its process ended, or the rank cannot be reached");
        }
    } else if (died_idle(t, w) && !team_has_workers(t)) {
        lose(t, w, r);
    }
    w->stretch = NULL;
}
