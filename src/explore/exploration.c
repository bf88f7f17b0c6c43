#include "explore/exploration.h"

#include <setjmp.h>
#include <stdio.h>

#include "base/limit.h"

#define TARGET_ELSEWHERE UINT32_MAX

void exploration_init(exploration *x, target *program, sink *receiver) {
    *x = (exploration){.target = program, .sink = receiver, .target_length = TARGET_ELSEWHERE};
    execution_init(&x->execution);
}

void exploration_free(exploration *x) {
    vector_free(&x->script);
    vector_free(&x->alive);
    vector_free(&x->tried);
    execution_free(&x->execution);
}

/* ---- where the target stands ---- */

typedef struct event_list {
    const event *at, *end;
} event_list;

static inline bool next_event(void *context, step *next) {
    event_list *list = context;
    if (list->at == list->end) {
        return false;
    }
    *next = (step){list->at->thread, list->at->choice};
    list->at++;
    return true;
}

static void take_again(exploration *x, uint32_t from, uint32_t to) {
    static const step_hooks hooks = {.next = next_event};
    const event *events = x->execution.events.items;
    event_list list = {events + from, events + to};
    if (!x->target->class->replay) {
        target_run(x->target, &hooks, &list);
        return;
    }
    vector_resize(&x->script, to - from);
    for (uint32_t i = 0; i < to - from; i++) {
        next_event(&list, &vector_at(&x->script, i));
    }
    x->target->class->replay(x->target, x->script.items, to - from);
}

/* Puts the target after at most `length` of the execution's events. Returns how many. */
static uint32_t go_back(exploration *x, uint32_t length) {
    const target_class *class = x->target->class;
    bool knows_it = x->target_resets && x->target_resets == x->target->resets;
    if (knows_it && class->back) {
        uint32_t shared = x->target_shared < length ? x->target_shared : length;
        return class->back(x->target, shared);
    }
    class->reset(x->target);
    x->target_resets = x->target->resets;
    return 0;
}

static void replay(exploration *x, uint32_t length) {
    x->picked = NULL;
    if (x->target->stale) {
        return; /* its steps are others now */
    }
    uint32_t from = go_back(x, length);
    take_again(x, from, length);
    x->replayed += length - from;
    x->target_shared = length;
}

void exploration_synchronise(exploration *x) {
    uint32_t length = execution_length(&x->execution);
    if (x->target_length != length) {
        replay(x, length);
        x->target_length = length;
        vector_clear(&x->alive);
    }
}

void exploration_revisit(exploration *x, uint32_t length) {
    replay(x, length);
    x->target_length = TARGET_ELSEWHERE;
}

/* What the objects of the event at `position` hold, before or after it. */
static void record_values(exploration *x, uint32_t position, bool after) {
    execution *e = &x->execution;
    const event *of = execution_event(e, position);
    access_link *link = e->links.items + of->first_link;
    for (uint32_t i = 0, n = footprint_count(of->footprint); i < n; i++, link++) {
        uint64_t value = x->target->class->value(x->target, link->object);
        *(after ? &link->after : &link->before) = value;
    }
}

/* Steps that are not part of the execution. */
typedef struct trial {
    step_range steps; /* first */
    exploration *exploration;
} trial;

static bool try_step(void *context, step next) {
    exploration *x = ((trial *)context)->exploration;
    const operation *pending =
        x->target->stale ? NULL : x->target->class->pending(x->target, next.thread);
    return pending && operation_enabled(pending);
}

static bool count_trial(void *context, const step_result *result) {
    (void)result;
    ((trial *)context)->exploration->replayed++;
    return true;
}

const operation *exploration_probe(exploration *x, uint32_t length, const step *steps,
                                   uint32_t step_count, uint32_t thread) {
    static const step_hooks hooks = {step_range_next, try_step, count_trial};
    exploration_revisit(x, length);
    trial t = {{steps, steps + step_count}, x};
    return target_run(x->target, &hooks, &t) ? x->target->class->pending(x->target, thread) : NULL;
}

const operation *exploration_probe_events(exploration *x, uint32_t length,
                                          const uint32_t *positions, uint32_t count,
                                          uint32_t thread) {
    vector_clear(&x->tried);
    for (uint32_t i = 0; i < count; i++) {
        const event *e = execution_event(&x->execution, positions[i]);
        vector_push(&x->tried, (step){e->thread, e->choice});
    }
    return exploration_probe(x, length, x->tried.items, count, thread);
}

/* ---- picking a thread ---- */

/* Threads are asked in an order given by the policy; the first one that will do is taken. */
static uint32_t first_thread(exploration *x, uint32_t count) {
    uint32_t length = execution_length(&x->execution);
    switch (x->first) {
        case FIRST_LOWEST: return 0;
        case FIRST_HIGHEST: return count - 1;
        case FIRST_ROUND_ROBIN:
            return length ? (execution_event(&x->execution, length - 1)->thread + 1) % count : 0;
        case FIRST_RANDOM: return random_below(&x->random, count);
    }
    CHECK(!"policy");
    return 0;
}

static uint32_t next_thread(const exploration *x, uint32_t thread, uint32_t count) {
    if (x->first == FIRST_HIGHEST) {
        return thread ? thread - 1 : count - 1;
    }
    return thread + 1 < count ? thread + 1 : 0;
}

/* A thread that has taken steps and has none pending will never have one again. */
static void note_end(exploration *x, uint32_t thread) {
    if (execution_thread_events(&x->execution, thread)) {
        vector_at(&x->alive, thread) = thread + 1;
    }
}

/* The first thread from `thread` on that is not known to have ended; there may be none. */
static uint32_t alive_from(exploration *x, uint32_t thread) {
    uint32_t found = thread;
    while (vector_at(&x->alive, found) != found) {
        found = vector_at(&x->alive, found);
    }
    return vector_at(&x->alive, thread) = found;
}

static bool pick(exploration *x, uint32_t at, const operation *pending, uint32_t *thread) {
    *thread = x->picked_thread = at;
    x->picked = pending;
    return true;
}

bool exploration_pick(exploration *x, eligible_function *eligible, void *context, uint32_t *thread,
                      bool *refused) {
    uint32_t count = x->target->class->thread_count(x->target);
    *refused = false;
    for (uint32_t t = x->alive.count; t <= count; t++) {
        vector_push(&x->alive, t);
    }
    uint32_t at = first_thread(x, count), yields = count;
    for (uint32_t tried = 0; tried < count; tried++, at = next_thread(x, at, count)) {
        uint32_t alive = alive_from(x, at);
        if (alive != at) {
            if (x->first != FIRST_HIGHEST) { /* those between have ended, too */
                tried += alive - at - 1;
                at = alive - 1;
            }
            continue;
        }
        const operation *pending = x->target->class->pending(x->target, at);
        if (!pending) {
            note_end(x, at);
        } else if (operation_enabled(pending)) {
            if (!eligible(context, at, pending)) {
                *refused = true;
            } else if (operation_has_role(pending->kind, ROLE_YIELDS)) {
                yields = at; /* if there is no other */
            } else {
                return pick(x, at, pending, thread);
            }
        }
    }
    return yields < count && pick(x, yields, x->target->class->pending(x->target, yields), thread);
}

/* ---- one execution ---- */

static bool report(exploration *x, const program_error *error) {
    for (; error; error = error->next) {
        if (!x->sink->class->error(x->sink, x, error)) {
            return false;
        }
    }
    return true;
}

/* Takes a step of the program and appends its event. */
static bool take(exploration *x, step next) {
    const target_class *class = x->target->class;
    const operation *pending = exploration_pending(x, next.thread);
    CHECK(pending && operation_enabled(pending));
    uint32_t position = execution_append(&x->execution, next.thread, next.choice, pending);
    step_result result;
    if (x->records_values) {
        record_values(x, position, false);
    }
    x->picked = NULL;
    class->step(x->target, next.thread, next.choice, &result);
    if (x->records_values) {
        record_values(x, position, true);
    }
    event *taken = &vector_at(&x->execution.events, position);
    taken->value = result.value;
    taken->acquired = result.acquired;
    x->target_shared = ++x->target_length;
    bool known = position < x->known_length;
    x->events += !known;
    return known || report(x, result.error);
}

static bool report_deadlock(exploration *x) {
    char message[80];
    program_error error = {.kind = ERROR_DEADLOCK, .message = message};
    uint32_t waiting = 0;
    for (uint32_t t = x->target->class->thread_count(x->target); t-- > 0;) {
        const operation *pending = x->target->class->pending(x->target, t);
        if (pending) {
            waiting++;
            error.thread = t;
            error.location = pending->location;
        }
    }
    snprintf(message, sizeof message, "deadlock: %u thread%s blocked forever", waiting,
             waiting == 1 ? " is" : "s are");
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

/* A maximal execution: count it, and say so if threads are left waiting. */
static bool finish(exploration *x) {
    enum target_ending ending = x->target->class->ending(x->target);
    x->sink->class->executed(x->sink, x, ending);
    return ending == ENDING_DEADLOCK   ? report_deadlock(x)
           : ending == ENDING_COMPLETE ? report_all(x, target_end_error)
                                       : true;
}

static bool interrupted(const exploration *x) {
    return (x->limits.interrupt && *x->limits.interrupt) || limit_stops;
}

enum { PAUSE_WEIGHT = 100 };

/* In steps. A pause stands for many accesses in passing; it is looked for where it is the last
 * step, as it is in a loop that does not end. */
static uint64_t length_of(const execution *e) {
    uint64_t length = execution_length(e);
    bool pauses =
        length && operation_has_role(execution_event(e, (uint32_t)length - 1)->kind, ROLE_YIELDS);
    for (uint32_t i = 0; pauses && i < execution_length(e); i++) {
        bool pause = operation_has_role(execution_event(e, i)->kind, ROLE_YIELDS);
        length += pause ? PAUSE_WEIGHT - 1 : 0;
    }
    return length;
}

/* The bound is reached, and some thread could go on. */
static bool too_long(const exploration *x) {
    if (!x->limits.max_steps || length_of(&x->execution) < x->limits.max_steps) {
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

/* The strategy is not asked, so that it never prepares for a step that is not taken. */
static void cut(exploration *x, strategy *s) {
    const event *last = execution_event(&x->execution, execution_length(&x->execution) - 1);
    if (!x->cut) {
        x->cut_thread = last->thread;
        x->cut_location = last->location;
    }
    x->cut = true;
    if (x->sink->class->cut) {
        x->sink->class->cut(x->sink, x);
    }
    if (!x->limits.stop_at_cut) {
        s->class->ended(s, DECISION_REDUNDANT);
    }
}

/* An exploration that is given up is counted. */
static void tell(exploration *x, enum decision decision) {
    const sink_class *class = x->sink->class;
    if (decision == DECISION_REDUNDANT && class->redundant) {
        class->redundant(x->sink, x);
    } else if (decision == DECISION_PRUNED && class->pruned) {
        class->pruned(x->sink, x);
    }
}

/* Plain accesses that race are promoted once the execution in which they did is over. */
static void promote(target *t) {
    if (t->class->promote && t->class->promote(t)) {
        t->stale = t->promoted = true;
    }
}

enum run_end { RUN_ENDED, RUN_STOPPED, RUN_INTERRUPTED, RUN_UNSUITED, RUN_FOREIGN };

/* From where the execution stands to its end, as the strategy decides. */
static enum run_end run(exploration *x, strategy *s, bool *maximal) {
    for (;;) {
        step next;
        exploration_synchronise(x);
        execution_reserve_threads(&x->execution, x->target->class->thread_count(x->target));
        if (too_long(x)) {
            cut(x, s);
            return RUN_ENDED;
        }
        enum decision decision = s->class->choose(s, &next);
        if (x->target->stale) {
            return RUN_STOPPED;
        }
        if (decision == DECISION_UNSUITED || decision == DECISION_FOREIGN) {
            return decision == DECISION_UNSUITED ? RUN_UNSUITED : RUN_FOREIGN;
        }
        tell(x, decision);
        if (decision != DECISION_STEP) {
            *maximal = decision == DECISION_MAXIMAL;
            bool go_on = !*maximal || finish(x);
            if (go_on && *maximal) {
                promote(x->target);
            }
            if (x->target->stale) {
                return RUN_STOPPED;
            }
            s->class->ended(s, decision);
            return go_on ? RUN_ENDED : RUN_STOPPED;
        }
        if (!take(x, next) || x->target->stale) {
            return RUN_STOPPED;
        }
        s->class->stepped(s);
        if (interrupted(x)) {
            return RUN_INTERRUPTED;
        }
    }
}

enum target_accesses exploration_accesses(const target *t, const strategy_class *class) {
    bool steps = class->states_only || class->exhaustive || (class->observes && t->promoted);
    return steps ? ACCESSES_ARE_STEPS : ACCESSES_IN_PASSING;
}

static void treat_accesses(const exploration *x, const strategy_class *class) {
    target *t = x->target;
    if (t->class->treat_accesses) {
        t->accesses = exploration_accesses(t, class);
        t->class->treat_accesses(t, t->accesses);
    }
}

/* Work came from elsewhere, and with it what others know of the program: the target has to start
 * anew. */
static bool refill(exploration *x, strategy *s) {
    bool more = x->exchange->class->refill(x->exchange, s);
    treat_accesses(x, s->class);
    x->target_length = TARGET_ELSEWHERE;
    x->target_resets = 0;
    x->picked = NULL;
    return more;
}

/* To where the next execution starts; others may get work before, and give some if there is none
 * here. */
static bool start_next(exploration *x, strategy *s, bool *stopped) {
    exchange *others = s->class->work ? x->exchange : NULL;
    if (others && *others->wanted && !others->class->serve(others, s)) {
        *stopped = true;
        return false;
    }
    while (!s->class->backtrack(s)) {
        if (!others || !refill(x, s)) {
            return false;
        }
    }
    return true;
}

/* Those who share the work may want to know what comes next. */
static void announce(const exploration *x, strategy *s) {
    exchange *others = s->class->work ? x->exchange : NULL;
    if (others && *others->wanted && others->class->chosen) {
        others->class->chosen(others, s);
    }
}

static bool starts_empty(const exploration *x, const strategy_class *class) {
    return class->work && x->exchange && x->exchange->starts_empty;
}

/* The first execution is somebody else's. */
static bool start_empty(exploration *x, strategy *s) {
    return refill(x, s) && s->class->backtrack(s);
}

static enum exploration_end explore(exploration *x, strategy *s) {
    uint64_t executions = 0;
    bool stopped = false;
    if (starts_empty(x, s->class) && !start_empty(x, s)) {
        return EXPLORATION_COMPLETE;
    }
    do {
        bool maximal = false;
        if (x->target->stale) {
            return EXPLORATION_STOPPED;
        }
        announce(x, s);
        switch (run(x, s, &maximal)) {
            case RUN_STOPPED: return EXPLORATION_STOPPED;
            case RUN_INTERRUPTED: return EXPLORATION_INTERRUPTED;
            case RUN_UNSUITED: return EXPLORATION_UNSUITED;
            case RUN_FOREIGN: return EXPLORATION_FOREIGN;
            case RUN_ENDED: break;
        }
        if (limit_stops) {
            return EXPLORATION_INTERRUPTED;
        }
        executions += maximal;
        if (x->cut && x->limits.stop_at_cut) {
            return EXPLORATION_STEP_BOUND;
        }
        if (!start_next(x, s, &stopped)) {
            return stopped  ? EXPLORATION_STOPPED
                   : x->cut ? EXPLORATION_STEP_BOUND
                            : EXPLORATION_COMPLETE;
        }
    } while (!x->limits.max_executions || executions < x->limits.max_executions);
    return EXPLORATION_LIMIT;
}

static enum exploration_end explore_with(exploration *x, const strategy_class *class) {
    x->target->fine = class->fine;
    if (class->states_only && x->target->class->expect_comparisons) {
        x->target->class->expect_comparisons(x->target);
    }
    treat_accesses(x, class);
    exploration_synchronise(x);
    if (!starts_empty(x, class) && !report_all(x, target_start_error)) {
        return EXPLORATION_STOPPED;
    }
    strategy *s = class->create(x);
    s->class = class;
    s->exploration = x;
    enum exploration_end end = explore(x, s);
    class->destroy(s);
    return end;
}

/* What the strategy held is lost when a limit is reached in the middle of something: the process is
 * about to end. */
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
