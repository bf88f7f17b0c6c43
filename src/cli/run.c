#include "cli/run.h"

#include <setjmp.h>
#include <string.h>

#include "base/limit.h"
#include "base/path.h"
#include "base/witness.h"
#include "cli/algorithm.h"
#include "cli/interrupt.h"
#include "cli/report.h"
#include "cli/svcomp.h"
#include "cli/workers.h"
#include "dpor/registry.h"
#include "dpor/sampling.h"
#include "explore/scout.h"
#include "report/collector.h"
#include "report/doom.h"
#include "report/hint.h"
#include "report/progress.h"
#include "report/reorder.h"
#include "report/simplify.h"
#include "report/trace.h"
#include "report/writers/writers.h"

/* The default of --max-steps: no exploration that a person would wait for has executions as long as
 * this. */
#define MOST_STEPS 4000000

void run_describe_cut(const exploration *e, text *out) {
    text thread = {0}, place = {0};
    const char *file;
    uint32_t line;
    text_clear(out);
    describe_thread(e->target, e->cut_thread, &thread);
    if (e->target->class->describe_location(e->target, e->cut_location, &file, &line)) {
        text_format(&place, " at %s:%u", path_shown(file), line);
    }
    if (e->cut_by_target) {
        text_format(out, "an execution was cut at a limit, in %s%s or after it",
                    text_string(&thread), text_string(&place));
    } else {
        text_format(out,
                    "an execution was cut after %llu steps, in %s%s: possible infinite loop; "
                    "--max-steps=N changes the limit",
                    (unsigned long long)e->limits.max_steps, text_string(&thread),
                    text_string(&place));
    }
    text_free(&thread);
    text_free(&place);
}

/* One exploration, from the beginning or of work that others have left. `again`: there is more of
 * that. */
static enum exploration_end explore(const settings *o, const strategy_class *algorithm,
                                    target *target, collector *c, member *m, text *cut,
                                    bool *again) {
    exploration e;
    exploration_init(&e, target, &c->sink);
    e.first = o->first.policy;
    e.random = (random_source){o->random.method ? (o->seed ? o->seed : 1) : o->first.seed};
    e.sampling = o->random;
    e.most_preemptions = o->preemptions.number;
    e.model = o->model;
    uint64_t most = o->random.method && !o->time_limit_ms ? SAMPLING_MOST_EXECUTIONS : 0;
    e.limits = (exploration_limits){.max_steps = o->max_steps ? o->max_steps : MOST_STEPS,
                                    .stop_at_cut = !o->max_steps,
                                    .max_executions = o->max_executions ? o->max_executions : most,
                                    .interrupt = &interrupt_requested};
    e.executions_before = m ? m->membership.executions : 0;
    e.scout_due =
        o->keep_going || workers_are_eager() || algorithm->any_steps || algorithm->versions
            ? 0
            : scout_next(e.executions_before);
    e.scout = &strategy_sampling;
    own_status.shares = scout_shares(&e);
    if (m) {
        member_begin(m, algorithm);
        bool shares = !target->nameless || m->exchange.starts_empty;
        e.exchange = shares ? &m->exchange : NULL;
    }
    enum exploration_end end = exploration_run(&e, algorithm);
    if (end == EXPLORATION_COMPLETE && e.cut) {
        end = EXPLORATION_STEP_BOUND;
    }
    if (e.cut) {
        run_describe_cut(&e, cut);
    }
    c->left_out = e.left_out;
    bool settled =
        end != EXPLORATION_UNSUITED && (!target->stale || end == EXPLORATION_INTERRUPTED);
    *again = m && settled && member_ended(m, &e, end);
    own_status.counters.events = e.events;
    own_status.counters.dont_do = e.dont_do;
    exploration_free(&e);
    return end;
}

/* ---- errors as they occur ---- */

typedef struct notice {
    const run_listener *listener;
    bool nameless;
    uint32_t count;
} notice;

static void notice_error(void *context, const found_error *f, target *target) {
    notice *n = context;
    if (n->listener && n->count++ < REPORT_MOST_TABLES) {
        finding bare;
        found_error_bare_finding(f, target, &bare);
        bare.nameless = n->nameless;
        n->listener->found(n->listener->context, &bare);
        finding_free(&bare);
    }
}

static void forget_errors(notice *n) {
    n->count = 0;
    if (n->listener) {
        n->listener->forget(n->listener->context);
    }
}

/* Forgets what was found before the target learnt that something is shared. */
static void start_over(collector *c) {
    bool keep_going = c->keep_going;
    uint32_t ignored = c->ignored;
    notice *n = c->context;
    collector_free(c);
    collector_init(c, keep_going);
    c->ignored = ignored;
    c->notice = notice_error;
    c->context = n;
    forget_errors(n);
}

/* Starts over when the target has learnt that something is shared, and with another algorithm when
 * this one finds that it cannot handle the program. */
static enum exploration_end explore_until_settled(const settings *o,
                                                  const strategy_class **algorithm, loaded *l,
                                                  collector *c, member *m, text *cut) {
    for (;;) {
        bool again;
        if (l->target->needs_all && !(*algorithm)->exhaustive && !(*algorithm)->any_steps &&
            !(*algorithm)->versions) {
            *algorithm = algorithm_exhaustive();
        }
        if (l->native && l->target->spins) {
            *algorithm = algorithm_of_traces(*algorithm);
        }
        if (m && l->target->nameless) {
            member_alone(m, "programs that send messages are explored by one worker");
        } else if (m && !(*algorithm)->work) {
            member_alone(m, "the algorithm that explores has no work that can be shared");
        }
        enum exploration_end end = explore(o, *algorithm, l->target, c, m, cut, &again);
        bool stale = target_take_stale(l->target);
        if (end == EXPLORATION_UNSUITED) {
            *algorithm = strategy_find((*algorithm)->fallback);
            CHECK(*algorithm != NULL);
        } else if (again) {
            continue;
        } else if (!stale || end == EXPLORATION_INTERRUPTED) {
            return end;
        }
        start_over(c);
        if (m) {
            member_start_over(m);
        }
    }
}

/* ---- readable schedules ---- */

enum { SIMPLIFY_MOST_STEPS = 2000000, DOOM_MOST_STEPS = 500000 };

/* Which memory orders would prevent the error. */
static void look_for_hint(const settings *s, const strategy_class *algorithm, found_error *f,
                          target *target) {
    hint_request r = {.target = target,
                      .algorithm = algorithm,
                      .model = s->model,
                      .max_steps = s->max_steps ? s->max_steps : MOST_STEPS,
                      .interrupt = &interrupt_requested};
    if (s->model != MODEL_SC && algorithm->versions && target->class->change_orders &&
        rerun_is_possible(f) && f->kind != ERROR_UNSUPPORTED) {
        text_clear(&f->hint);
        hint_find(&r, f, &f->hint);
    }
}

/* Finds a simpler schedule, and the decisive step. Where reads need not return what was written
 * last, this uses the steps that were explored, and plain accesses become steps afterwards. */
static void clarify_error(const settings *s, const strategy_class *algorithm, found_error *f,
                          target *target) {
    rerun r = {.target = target,
               .error = f,
               .interrupt = &interrupt_requested,
               .algorithm = algorithm,
               .model = s->model,
               .max_steps = s->max_steps ? s->max_steps : MOST_STEPS};
    bool weak = target->versions;
    if (!weak) {
        found_error_expand(f, target);
    }
    if (rerun_is_possible(f) && !target->stale && !(weak && f->kind == ERROR_UNSUPPORTED)) {
        r.budget = SIMPLIFY_MOST_STEPS;
        (weak ? reorder : simplify)(&r, f);
        r.given_up = target->stale;
        r.budget = DOOM_MOST_STEPS;
        f->doomed = doom_find(&r, f);
    }
    if (weak && !target->stale) {
        found_error_expand(f, target);
    }
}

/* Simplifies the schedules of the errors that are shown, and finds the decisive steps. Not for a
 * batch, which shows no schedules. */
static void clarify(const settings *s, const strategy_class *algorithm, collector *c, loaded *l) {
    jmp_buf here, *before = limit_exit;
    limit_exit = &here;
    if (setjmp(here) == 0) {
        for (uint32_t i = 0; i < c->errors.count && i < REPORT_MOST_TABLES && !s->batch; i++) {
            found_error *f = &vector_at(&c->errors, i);
            look_for_hint(s, algorithm, f, l->target);
            if (l->target->stale) {
                break;
            }
            clarify_error(s, algorithm, f, l->target);
        }
    }
    limit_exit = before;
}

/* ---- the outcome ---- */

/* The run of an error that was found may end in another one first: then that counts, unless it is
 * of a kind that does not. */
static enum error_kind add_finding(const settings *s, const collector *c, found_error *f, loaded *l,
                                   outcome *o) {
    finding made;
    found_error_expand(f, l->target);
    found_error_finding(f, l->target, &made);
    if (c->ignored & 1u << made.kind) {
        finding_free(&made);
        found_error_bare_finding(f, l->target, &made);
    }
    enum error_kind kind = made.kind;
    made.nameless = s->program != NULL;
    outcome_add(o, &made);
    return kind;
}

/* The text shows some of the errors; reports for programs, and --full, all of them. */
static void add_findings(const settings *s, collector *c, loaded *l, outcome *o) {
    uint32_t most = writers_want_all(s) || s->full ? UINT32_MAX : REPORT_MOST_TABLES;
    for (uint32_t i = 0; i < c->errors.count; i++) {
        found_error *f = &vector_at(&c->errors, i);
        bool added = i < most || f->kind == ERROR_UNSUPPORTED;
        enum error_kind kind = added ? add_finding(s, c, f, l, o) : f->kind;
        o->bugs += kind != ERROR_UNSUPPORTED && kind != ERROR_UNFINISHED;
        o->gave_up = o->gave_up || kind == ERROR_UNFINISHED;
    }
}

static void warn_ignored(const settings *s, const collector *c, outcome *o) {
    for (uint32_t kind = 0; kind < ERROR_KIND_COUNT; kind++) {
        if (c->ignored_counts[kind]) {
            o->unseen = o->unseen || svcomp_goes_on(kind);
            outcome_warn(
                o, "errors of the kind %s do not count for --svcomp=%s; they occurred %llu times%s",
                error_word(kind), svcomp_word(s->svcomp),
                (unsigned long long)c->ignored_counts[kind],
                svcomp_goes_on(kind) ? ", and what may come after them is not covered" : "");
        }
    }
}

static void note_uncovered(void *context, const char *words) {
    tally_warn(context, words, true);
}

static void note_input(void *context, const char *line) {
    tally_note_input(context, line);
}

static void note_caution(void *context, const char *words) {
    tally_warn(context, words, false);
}

/* Every limit that was reached has a warning. */
static void note_limits(tally *t, bool stopped) {
    for (enum limit i = 0; i < LIMIT_COUNT; i++) {
        if (limit_was_reached(i) && limit_has_stopped(i) == stopped) {
            tally_warn(t, limit_words(i), true);
        }
    }
}

void run_note(loaded *l, tally *t) {
    loaded_uncovered(l, note_uncovered, t);
    loaded_cautions(l, note_caution, t);
    loaded_inputs(l, note_input, t);
    if (l->model == MODEL_SC && l->target->weakly) {
        tally_note(t,
                   "checked under sequential consistency; --model=rc11 covers the weaker orders");
    }
    note_limits(t, false);
}

void run_note_stops(tally *t) {
    t->limited = t->limited || (limit_stops && !limit_abandoned);
    note_limits(t, true);
}

static void add_warnings(const settings *s, const strategy_class *wanted,
                         const strategy_class *algorithm, const collector *c, loaded *l,
                         outcome *o) {
    /* Only for users who chose the algorithm, or if it takes far longer. */
    if (algorithm != wanted && (s->algorithm || algorithm->exhaustive)) {
        outcome_note(o, "%s falls back to %s: %s", wanted->name, algorithm->name,
                     algorithm->exhaustive
                         ? "an atomic section locks, unlocks or wakes, so that all interleavings "
                           "have to be explored"
                     : l->target->spins && algorithm_of_traces(wanted) != wanted
                         ? "the program waits in spin loops"
                         : wanted->unsuited);
    }
    if (algorithm->states_only && l->native && settings_race_check(s)) {
        outcome_warn(o,
                     "%s reports the data races that it finds, but does not prove that there are "
                     "no others; %s does",
                     algorithm->name, algorithm_of_traces(algorithm)->name);
    }
    if (c->left_out) {
        o->unseen = true;
        outcome_warn(o, "executions with more than %llu preemption%s are not covered",
                     (unsigned long long)s->preemptions.number,
                     s->preemptions.number == 1 ? "" : "s");
    }
    if (algorithm->unsound) {
        o->unseen = true;
        outcome_warn(o, "%s", algorithm->unsound);
    }
    if (l->caution) {
        outcome_warn(o, "%s", l->caution);
    }
}

/* The warnings of this process, after those of others. */
static void add_notes(loaded *l, tally *notes, outcome *o) {
    run_note(l, notes);
    run_note_stops(notes);
    o->unseen = o->unseen || notes->unseen;
    o->limited = notes->limited;
    for (uint32_t i = 0; i < notes->warnings.count; i++) {
        outcome_warn(o, "%s", text_string(&vector_at(&notes->warnings, i)));
    }
    for (uint32_t i = 0; i < notes->notes.count; i++) {
        outcome_note(o, "%s", text_string(&vector_at(&notes->notes, i)));
    }
}

/* ---- several workers ---- */

/* What all workers have found takes the place of what this one has. */
static void take_over(member *m, loaded *l, collector *c, const strategy_class **algorithm,
                      text *cut, outcome *o) {
    text_clear(cut);
    if (m->order != MEMBER_REPORTS) {
        return;
    }
    if (!tally_give_errors(&m->tally, c, l->target)) {
        outcome_fail(o, VERDICT_ERROR,
                     "errors that other workers have found do not fit this program, or the file "
                     "that has them was changed");
    }
    const strategy_class *real = strategy_find(text_string(&m->tally.algorithm));
    *algorithm = real ? real : *algorithm;
    o->end = m->end;
    o->timeout = m->timeout;
    o->counters = m->tally.counters;
    o->seconds = m->seconds_before + (m->seconds ? m->seconds : o->seconds);
    text_append(cut, text_string(&m->tally.cut));
}

static bool has_ended_one(const counters *c) {
    return c->executions || c->artifacts || c->blocked || c->pruned;
}

/* Why there may be no end, if there was none. */
static void warn_of_length(const collector *c, const member *m, const text *cut, target *target,
                           outcome *o) {
    text growth = {0};
    if (m && m->order == MEMBER_REPORTS) {
        text_append(&growth, text_string(&m->tally.growth));
    } else {
        growth_describe(&c->growth, target, &growth);
    }
    bool stopped = o->end == EXPLORATION_INTERRUPTED || o->end == EXPLORATION_LIMIT;
    if (text_length(cut)) {
        outcome_warn(o, "%s", text_string(cut));
    } else if (stopped && text_length(&growth)) {
        outcome_warn(o, "%s", text_string(&growth));
    } else if (stopped && !has_ended_one(&o->counters)) {
        outcome_warn(o,
                     "no execution has ended: the program takes long, or has an infinite loop; "
                     "--max-steps=N cuts executions");
    }
    text_free(&growth);
}

void run_exploration(const settings *s, const strategy_class *wanted, loaded *l,
                     const run_listener *listener, member *m, outcome *o) {
    const strategy_class *algorithm = wanted;
    collector c;
    text cut = {0};
    collector_init(&c, s->keep_going);
    c.ignored = svcomp_ignored(s);
    notice n = {.listener = listener, .nameless = s->program != NULL};
    c.notice = notice_error;
    c.context = &n;
    if (m) {
        m->collector = &c;
        m->loaded = l;
    }
    limit_clear();
    status_enter(PHASE_EXPLORING);
    double started = monotonic_seconds();
    enum exploration_end end = explore_until_settled(s, &algorithm, l, &c, m, &cut);
    *o = (outcome){
        .end = end, .counters = own_status.counters, .seconds = monotonic_seconds() - started};
    o->model = s->model;
    o->timeout = interrupt_was_timeout();
    CHECK(collector_is_intact(&c));
    if (m) {
        take_over(m, l, &c, &algorithm, &cut, o);
    }
    clarify(s, algorithm, &c, l);
    while (target_take_stale(l->target)) { /* other schedules have revealed more */
        start_over(&c);
        o->end = explore_until_settled(s, &algorithm, l, &c, NULL, &cut);
        o->counters = own_status.counters;
        o->seconds = monotonic_seconds() - started;
        CHECK(collector_is_intact(&c));
        clarify(s, algorithm, &c, l);
    }
    status_enter(PHASE_REPORTING);
    text_append(&o->algorithm, algorithm->name);
    warn_of_length(&c, m, &cut, l->target, o);
    tally own = {0};
    add_warnings(s, wanted, algorithm, &c, l, o);
    add_notes(l, m ? &m->tally : &own, o);
    warn_ignored(s, &c, o);
    add_findings(s, &c, l, o);
    o->peak_bytes = peak_bytes() + (m ? m->peak_bytes : 0);
    tally_free(&own);
    collector_free(&c);
    text_free(&cut);
}
