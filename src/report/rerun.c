#include "report/rerun.h"

#include <string.h>

bool rerun_is_over(const rerun *r) {
    return r->given_up || r->budget == 0 || (r->interrupt && *r->interrupt);
}

/* A schedule in which the program hangs costs seconds, not steps. */
static bool is_expensive(enum error_kind kind) {
    return kind == ERROR_HANG || kind == ERROR_UNFINISHED;
}

bool rerun_is_possible(const found_error *f) {
    return f->steps.count && !is_expensive(f->kind) && f->kind != ERROR_UNINITIALISED;
}

typedef struct bounded_run {
    rerun *rerun;
    const rerun_hooks *hooks;
    void *context;
} bounded_run;

static bool next_step(void *context, step *next) {
    bounded_run *b = context;
    return b->hooks->next(b->context, next);
}

static bool may_take(void *context, step next) {
    const rerun *r = ((bounded_run *)context)->rerun;
    const operation *pending;
    return !rerun_is_over(r) && target_find_obstacle(r->target, next, &pending) == STEP_POSSIBLE;
}

static bool count_step(void *context, const step_result *result) {
    bounded_run *b = context;
    rerun *r = b->rerun;
    r->budget--;
    r->given_up =
        r->given_up || r->target->stale || (result->error && is_expensive(result->error->kind));
    return !b->hooks->after || b->hooks->after(b->context, result->error);
}

bool rerun_run(rerun *r, const rerun_hooks *hooks, void *context) {
    static const step_hooks bounded = {next_step, may_take, count_step};
    return target_run(r->target, &bounded, &(bounded_run){r, hooks, context});
}

static bool is_wanted(const rerun *r, const program_error *e) {
    const char *message = e->message ? e->message : error_word(e->kind);
    return e->kind == r->error->kind && e->location == r->error->location &&
           strcmp(message, text_string(&r->error->message)) == 0;
}

bool rerun_has_wanted(rerun *r, const program_error *e) {
    bool found = false;
    for (; e; e = e->next) {
        bool wanted = is_wanted(r, e);
        found = found || wanted;
        r->other_errors += !wanted;
    }
    return found;
}

static bool deadlocks_as_wanted(const rerun *r) {
    found_error now = {.kind = r->error->kind};
    found_error_collect_places(&now, r->target);
    bool same = found_error_equal(&now, r->error);
    vector_free(&now.places);
    return same;
}

/* No thread is enabled. */
static bool is_at_end(const rerun *r) {
    const target_class *class = r->target->class;
    for (uint32_t t = 0; t < class->thread_count(r->target); t++) {
        const operation *pending = class->pending(r->target, t);
        if (pending && operation_enabled(pending)) {
            return false;
        }
    }
    return true;
}

bool rerun_ends_as_wanted(rerun *r) {
    const target_class *class = r->target->class;
    const program_error *error;
    if (!is_at_end(r)) {
        return false;
    }
    enum target_ending ending = class->ending(r->target);
    if (ending_is_stuck(ending)) {
        enum error_kind kind = ending == ENDING_LIVELOCK ? ERROR_LIVELOCK : ERROR_DEADLOCK;
        return r->error->kind == kind && deadlocks_as_wanted(r);
    }
    for (uint32_t i = 0; class->end_error && ending == ENDING_COMPLETE; i++) {
        if (!(error = class->end_error(r->target, i))) {
            break;
        }
        if (is_wanted(r, error)) {
            return true;
        }
    }
    return false;
}

bool rerun_has_kind(const rerun *r, const program_error *e) {
    while (e && e->kind != r->error->kind) {
        e = e->next;
    }
    return e != NULL;
}

bool rerun_ended_well(const rerun *r) {
    target *t = r->target;
    enum error_kind kind = r->error->kind;
    enum target_ending ending = t->class->ending(t);
    const program_error *error;
    if (ending_is_stuck(ending)) {
        return !error_is_stuck(kind);
    }
    for (uint32_t i = 0; ending == ENDING_COMPLETE && t->class->end_error; i++) {
        error = t->class->end_error(t, i);
        if (!error || error->kind == kind) {
            return !error;
        }
    }
    return true;
}

typedef struct error_walk {
    step_range steps; /* first */
    rerun *rerun;
    bool found;
} error_walk;

static bool look_for_error(void *context, const program_error *error) {
    error_walk *w = context;
    w->found = rerun_has_wanted(w->rerun, error);
    return !w->found;
}

uint32_t rerun_steps(rerun *r, const step *steps, uint32_t count) {
    static const rerun_hooks hooks = {step_range_next, look_for_error};
    error_walk w = {.steps = {steps, steps + count}, .rerun = r};
    r->other_errors = 0;
    r->target->class->reset(r->target);
    bool whole = rerun_run(r, &hooks, &w);
    bool there = w.found || (whole && !r->given_up && rerun_ends_as_wanted(r));
    return there && !r->given_up ? (uint32_t)(w.steps.at - steps) : UINT32_MAX;
}
