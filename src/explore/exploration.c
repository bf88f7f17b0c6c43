#include "explore/exploration.h"

#include <setjmp.h>
#include <stdio.h>

#include "base/limit.h"
#include "explore/scout.h"

void exploration_init(exploration *x, target *program, sink *receiver) {
    *x = (exploration){.target = program, .sink = receiver, .target_length = EXPLORATION_ELSEWHERE};
    execution_init(&x->execution);
}

void exploration_free(exploration *x) {
    vector_free(&x->script);
    vector_free(&x->alive);
    vector_free(&x->held);
    vector_free(&x->tried);
    survey_free(&x->survey);
    execution_free(&x->execution);
}

/* ---- one execution ---- */

/* Records what the objects of the latest event, at `position`, hold before or after it. */
static void record_values(exploration *x, uint32_t position, bool after) {
    execution *e = &x->execution;
    const event *of = execution_event(e, position);
    vector_resize(&e->values, e->links.count);
    for (uint32_t i = of->first_link; i < e->links.count; i++) {
        uint64_t value = x->target->class->value(x->target, vector_at(&e->links, i).object);
        access_values *values = &vector_at(&e->values, i);
        *(after ? &values->after : &values->before) = value;
    }
}

static bool report(exploration *x, const program_error *error) {
    for (; error; error = error->next) {
        CHECK(error->relation_count <= ERROR_MOST_RELATIONS);
        CHECK(error->next != error);
        x->has_errors = true;
        if (!x->sink->class->error(x->sink, x, error)) {
            return false;
        }
    }
    return true;
}

static inline __attribute__((always_inline)) uint32_t append(exploration *x, step next,
                                                             const operation *pending,
                                                             step_result *result) {
    DEBUG_CHECK(operation_has_alternative(pending, next.choice));
    DEBUG_CHECK(x->target_length == execution_length(&x->execution));
    uint32_t position = execution_append(&x->execution, next.thread, next.choice, pending);
    if (x->records_values) {
        record_values(x, position, false);
    }
    x->picked = NULL;
    x->target->cut = false;
    x->target->class->step(x->target, next.thread, next.choice, result);
    if (x->records_values) {
        record_values(x, position, true);
    }
    event *taken = &vector_at(&x->execution.events, position);
    DEBUG_CHECK(!result->error || result->error->message);
    taken->value = result->value;
    taken->acquired = result->acquired;
    x->target_shared = ++x->target_length;
    return position;
}

uint32_t exploration_append(exploration *x, step next, const operation *pending,
                            step_result *result) {
    return append(x, next, pending, result);
}

/* Inlined: a call took 3 % of the time of small programs. */
static inline __attribute__((always_inline)) bool take(exploration *x, step next) {
    const operation *pending = exploration_pending(x, next.thread);
    if (x->target->stale) {
        return false; /* the target has just learnt that the step waits in a spin loop */
    }
    CHECK(pending && target_may_take(x->target, pending, next.choice));
    step_result result;
    uint32_t position = append(x, next, pending, &result);
    bool known = position < x->known_length;
    x->events += !known;
    return known || report(x, result.error);
}

static bool report_stuck(exploration *x, enum target_ending ending) {
    char message[80];
    bool spin = ending == ENDING_LIVELOCK;
    program_error error = {.kind = spin ? ERROR_LIVELOCK : ERROR_DEADLOCK, .message = message};
    uint32_t waiting = 0;
    for (uint32_t t = x->target->class->thread_count(x->target); t-- > 0;) {
        const operation *pending = x->target->class->pending(x->target, t);
        if (pending) {
            waiting++;
            error.thread = t;
            error.location = pending->location;
        }
    }
    CHECK(waiting);
    snprintf(message, sizeof message, "%s: %u thread%s %s forever", error_word(error.kind), waiting,
             waiting == 1 ? " is" : "s are", spin ? "spinning" : "blocked");
    return report(x, &error);
}

static bool report_all(exploration *x, const program_error *(*next)(target *, uint32_t i)) {
    const program_error *error;
    for (uint32_t i = 0; (error = next(x->target, i)); i++) {
        if (!report(x, error)) {
            return false;
        }
    }
    return true;
}

/* Comparing happens-before with its definition takes cubic time: only the first, short executions
 * are compared. */
enum { COMPARED_EVENTS = 1 << 14, COMPARED_LENGTH = 64 };

static void check_execution(const exploration *x) {
    execution_check_links(&x->execution);
    if (x->events < COMPARED_EVENTS && execution_length(&x->execution) <= COMPARED_LENGTH) {
        execution_check(&x->execution);
    }
}

/* A maximal execution: counts it, and reports it if threads are blocked. */
static bool finish(exploration *x) {
    enum target_ending ending = x->target->class->ending(x->target);
    x->sink->class->executed(x->sink, x, ending);
    return ending_is_stuck(ending)     ? report_stuck(x, ending)
           : ending == ENDING_COMPLETE ? report_all(x, target_end_error)
                                       : true;
}

static bool interrupted(const exploration *x) {
    return (x->limits.interrupt && *x->limits.interrupt) || limit_stops;
}

/* With whom the strategy shares its work, or NULL. */
static exchange *others_of(const exploration *x, const strategy *s) {
    return s->class->work ? x->exchange : NULL;
}

/* An interruption waits for the end of the execution, so that what is left can be kept. */
static bool finishes_executions(const exploration *x, const strategy *s) {
    const exchange *others = others_of(x, s);
    return others && others->keeps_rest && !limit_stops;
}

enum { PAUSE_WEIGHT = 100 };

static bool is_pause(const execution *e, uint32_t index) {
    return operation_has_role(execution_event(e, index)->kind, ROLE_YIELDS);
}

uint64_t exploration_weight(const exploration *x) {
    const execution *e = &x->execution;
    uint64_t weight = execution_length(e);
    for (uint32_t i = 0; i < execution_length(e); i++) {
        weight += is_pause(e, i) ? PAUSE_WEIGHT - 1 : 0;
    }
    return weight;
}

/* Counts pauses only if the last step is one, as it is in an infinite loop. */
static uint64_t length_of(const exploration *x) {
    uint32_t length = execution_length(&x->execution);
    return length && is_pause(&x->execution, length - 1) ? exploration_weight(x) : length;
}

/* The bound is reached, and some thread could continue. */
static bool too_long(const exploration *x) {
    if (!x->limits.max_steps || length_of(x) < x->limits.max_steps) {
        return false;
    }
    for (uint32_t t = x->target->class->thread_count(x->target); t-- > 0;) {
        const operation *pending = x->target->class->pending(x->target, t);
        if (pending && operation_enabled(pending)) {
            return true;
        }
    }
    return false;
}

/* How an execution ended. */
enum run_end { RUN_ENDED, RUN_CUT, RUN_STOPPED, RUN_INTERRUPTED, RUN_UNSUITED, RUN_FOREIGN };

static void notify_strategy(strategy *s, enum decision decision) {
    if (s->class->ended) {
        s->class->ended(s, decision);
    }
}

/* The strategy is not asked, so it never prepares for a step that is not taken. */
static enum run_end cut(exploration *x, strategy *s) {
    const event *last = execution_event(&x->execution, execution_length(&x->execution) - 1);
    if (!x->cut) {
        x->cut_thread = last->thread;
        x->cut_location = last->location;
        x->cut_by_target = x->target->cut;
    }
    x->cut = true;
    if (x->sink->class->cut) {
        x->sink->class->cut(x->sink, x);
    }
    if (!x->limits.stop_at_cut) {
        notify_strategy(s, DECISION_REDUNDANT);
    }
    return RUN_CUT;
}

/* Counts an exploration that was abandoned. */
static void notify_sink(exploration *x, enum decision decision) {
    const sink_class *class = x->sink->class;
    if (decision == DECISION_REDUNDANT && class->redundant) {
        class->redundant(x->sink, x);
    } else if (decision == DECISION_PRUNED && class->pruned) {
        class->pruned(x->sink, x);
    }
}

/* Plain accesses that race are promoted once the execution in which they did is over. */
static void promote(target *t) {
    if (!t->versions && t->class->promote && t->class->promote(t)) {
        t->promoted = true;
        target_make_stale(t);
    }
}

static enum decision decide(exploration *x, strategy *s, step *next) {
    enum decision decision = s->class->choose(s, next);
    if (decision != DECISION_STEP || exploration_plans_exactly(x) || limit_stops) {
        return decision;
    }
    const operation *pending = x->target->stale ? NULL : exploration_pending(x, next->thread);
    bool possible = pending && target_may_take(x->target, pending, next->choice);
    return possible || x->target->stale ? DECISION_STEP : DECISION_REDUNDANT;
}

static enum run_end end_execution(exploration *x, strategy *s, enum decision decision) {
    bool maximal = decision == DECISION_MAXIMAL;
    DEBUG_INVARIANT(check_execution(x));
    bool go_on = !maximal || finish(x);
    if (go_on && maximal) {
        promote(x->target);
    }
    if (x->target->stale) {
        return RUN_STOPPED;
    }
    notify_strategy(s, decision);
    return go_on ? RUN_ENDED : RUN_STOPPED;
}

/* Runs from the end of the current prefix to the end of the execution, as the strategy decides. */
static enum run_end run(exploration *x, strategy *s, bool *maximal) {
    for (;;) {
        step next;
        exploration_synchronise(x);
        execution_reserve_threads(&x->execution, x->target->class->thread_count(x->target));
        if (too_long(x)) {
            return cut(x, s);
        }
        DEBUG_INVARIANT(exploration_check(x));
        enum decision decision = decide(x, s, &next);
        if (limit_stops) { /* the target may be in the middle of a step */
            return RUN_INTERRUPTED;
        }
        if (x->target->stale) {
            return RUN_STOPPED;
        }
        if (decision == DECISION_UNSUITED || decision == DECISION_FOREIGN) {
            return decision == DECISION_UNSUITED ? RUN_UNSUITED : RUN_FOREIGN;
        }
        if (decision == DECISION_UNSUPPORTED) {
            report(x, &x->refused);
            return RUN_STOPPED;
        }
        notify_sink(x, decision);
        if (decision != DECISION_STEP) {
            *maximal = decision == DECISION_MAXIMAL;
            return end_execution(x, s, decision);
        }
        if (!take(x, next) || x->target->stale) {
            return RUN_STOPPED;
        }
        if (s->class->stepped) {
            s->class->stepped(s);
        }
        if (x->target->cut) {
            return cut(x, s);
        }
        if (interrupted(x) && !finishes_executions(x, s)) {
            return RUN_INTERRUPTED;
        }
    }
}

enum target_accesses exploration_accesses(const target *t, const strategy_class *class) {
    bool steps = class->states_only || class->exhaustive || (class->observes && t->promoted);
    return steps ? ACCESSES_ARE_STEPS : ACCESSES_IN_PASSING;
}

/* Whether overwritten values can still be read. */
static void treat_versions(const exploration *x, const strategy_class *class) {
    target *t = x->target;
    CHECK(!class->versions || t->class->keep_versions);
    if (class->versions || t->versions) {
        t->versions = class->versions;
        t->class->keep_versions(t, class->versions);
    }
}

static void treat_accesses(const exploration *x, const strategy_class *class) {
    target *t = x->target;
    if (t->class->treat_accesses) {
        t->accesses = exploration_accesses(t, class);
        t->class->treat_accesses(t, t->accesses);
    }
}

void exploration_take_over(exploration *x, const strategy_class *class) {
    x->target->fine = class->fine;
    treat_versions(x, class);
    treat_accesses(x, class);
    exploration_lose_position(x);
}

/* Work came from another process, and with it what that knows about the program: the target has to
 * start over. */
static bool refill(exploration *x, strategy *s) {
    bool more = x->exchange->class->refill(x->exchange, s);
    exploration_take_over(x, s->class);
    return more;
}

/* The remaining work may be used by others. */
static void leave(const exploration *x, strategy *s) {
    exchange *others = others_of(x, s);
    if (others && others->keeps_rest) {
        others->class->leave(others, s);
    }
}

/* Goes to where the next execution starts. Before that, others may get work, or give some if none
 * is left here. `last`: the next execution will not be run. */
static bool start_next(exploration *x, strategy *s, bool last, bool *stopped) {
    exchange *others = others_of(x, s);
    if (others && *others->wanted && !others->class->serve(others, s)) {
        *stopped = true;
        return false;
    }
    if (last) {
        leave(x, s);
    }
    uint32_t length = execution_length(&x->execution);
    while (!s->class->backtrack(s)) {
        if (!others || last || x->target->stale || !refill(x, s)) {
            return false;
        }
    }
    CHECK(execution_length(&x->execution) <= length);
    return true;
}

/* Notifies those who share the work of what comes next. */
static void announce(const exploration *x, strategy *s) {
    exchange *others = others_of(x, s);
    if (others && *others->wanted && others->class->chosen) {
        others->class->chosen(others, s);
    }
}

static bool starts_empty(const exploration *x, const strategy_class *class) {
    return class->work && x->exchange && x->exchange->starts_empty;
}

/* Determines the order in which threads are picked, once this process knows what others know about
 * the program. */
static void find_order(exploration *x, const strategy_class *class) {
    if (class->any_order && x->first == FIRST_USUAL) {
        survey_make(x);
    }
}

/* The first execution belongs to another process. */
static bool start_empty(exploration *x, strategy *s) {
    if (!refill(x, s)) {
        return false;
    }
    find_order(x, s->class);
    return s->class->backtrack(s);
}

/* Takes the steps that are given. */
static enum exploration_end follow(exploration *x, strategy *s) {
    for (uint32_t i = 0; i < x->given_count; i++) {
        exploration_synchronise(x);
        execution_reserve_threads(&x->execution, x->target->class->thread_count(x->target));
        if (!s->class->given->follow(s, x->given[i])) {
            return EXPLORATION_FOREIGN;
        }
        if (!take(x, x->given[i]) || x->target->stale || x->target->cut) {
            return EXPLORATION_STOPPED;
        }
    }
    bool go_on = !x->sink->class->begun || x->sink->class->begun(x->sink, x, s);
    return go_on ? EXPLORATION_COMPLETE : EXPLORATION_STOPPED;
}

static enum exploration_end explore(exploration *x, strategy *s) {
    uint64_t executions = 0, cuts = 0, most = x->limits.max_executions;
    bool stopped = false;
    if (!starts_empty(x, s->class)) {
        find_order(x, s->class);
    } else if (!start_empty(x, s)) {
        return EXPLORATION_COMPLETE;
    }
    for (;;) {
        bool maximal = false;
        if (x->target->stale) {
            return EXPLORATION_STOPPED;
        }
        announce(x, s);
        x->events += x->skipped;
        x->skipped = 0;
        switch (run(x, s, &maximal)) {
            case RUN_STOPPED: return EXPLORATION_STOPPED;
            case RUN_INTERRUPTED: return EXPLORATION_INTERRUPTED;
            case RUN_UNSUITED: return EXPLORATION_UNSUITED;
            case RUN_FOREIGN: return EXPLORATION_FOREIGN;
            case RUN_CUT: cuts++; break;
            case RUN_ENDED: break;
        }
        executions += maximal;
        if (x->cut && x->limits.stop_at_cut) {
            return scout_look_after_cut(x) ? EXPLORATION_STEP_BOUND : EXPLORATION_STOPPED;
        }
        if (limit_stops) {
            leave(x, s);
            return EXPLORATION_INTERRUPTED;
        }
        if (!scout_look(x, s, x->executions_before + executions)) {
            return EXPLORATION_STOPPED;
        }
        bool interruption = interrupted(x), full = most && executions + cuts >= most;
        if (!start_next(x, s, interruption || full, &stopped)) {
            return stopped  ? EXPLORATION_STOPPED
                   : x->cut ? EXPLORATION_STEP_BOUND
                            : EXPLORATION_COMPLETE;
        }
        if (interruption || full) {
            return interruption ? EXPLORATION_INTERRUPTED : EXPLORATION_LIMIT;
        }
    }
}

static enum exploration_end explore_with(exploration *x, const strategy_class *class) {
    CHECK(class->size >= sizeof(strategy) && class->free);
    CHECK(!class->unsuited == !class->fallback);
    CHECK(!x->given || class->given);
    x->target->fine = class->fine;
    if (class->states_only && x->target->class->expect_comparisons) {
        x->target->class->expect_comparisons(x->target);
    }
    treat_versions(x, class);
    treat_accesses(x, class);
    exploration_synchronise(x);
    if (!starts_empty(x, class) && !report_all(x, target_start_error)) {
        return EXPLORATION_STOPPED;
    }
    strategy *s = memory_resize(NULL, 0, class->size);
    s->class = class;
    s->exploration = x;
    if (class->init) {
        class->init(s);
    }
    enum exploration_end end = x->given ? follow(x, s) : EXPLORATION_COMPLETE;
    end = end == EXPLORATION_COMPLETE ? explore(x, s) : end;
    class->free(s);
    memory_resize(s, class->size, 0);
    return end;
}

/* If a limit is reached in the middle of something, what the strategy holds is not freed: the
 * process is about to end. */
enum exploration_end exploration_run(exploration *x, const strategy_class *class) {
    jmp_buf here, *before = limit_exit;
    enum exploration_end end = EXPLORATION_INTERRUPTED;
    if (setjmp(here) == 0) {
        limit_exit = &here;
        end = explore_with(x, class);
    }
    limit_exit = before;
    return end;
}
