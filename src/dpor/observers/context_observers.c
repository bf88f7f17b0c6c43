/* Context-sensitive optimal-DPOR with observers: the search of observed_search.h with don't-do sets
 * (after ISSTA 2019, Algorithm 2; docs/ALGORITHMS.md says what was changed, and why).
 *
 * Where both orders of an unconditional race lead to the same state, and happens-before is the same
 * but for the race itself, the second order goes into the don't-do set of E'. The entry is revoked
 * as soon as some execution below E'.e says otherwise. A branch of a wakeup tree that is not to be
 * done is dropped; wakeup sequences that went below it only because they are independent of it are
 * inserted again. */
#include "dpor/comparison.h"
#include "dpor/dontdo.h"
#include "dpor/observers/observed_search.h"
#include "dpor/remembered.h"

typedef VECTOR(uint32_t) race_tags;

/* What a thread does, step by step. */
typedef struct deed {
    footprint footprint;
    uint8_t kind;
} deed;
typedef VECTOR(deed) deed_list;

typedef struct context_observers {
    observed_search observed; /* first: it is a search with observers */
    dontdo_stack dontdo;
    remembered_pool remembered;
    step_sequence inserted;
    comparison comparison;
    kept_operation kept;
    execution swapped;
    observed_order swapped_order;
    VECTOR(race_tags) refuted; /* by length: races of the present child that are essential */
    VECTOR(deed_list) deeds;   /* by thread: in the first execution that ended */
} context_observers;

/* ---- what is not to be done ---- */

static bool skips(const search *s, uint32_t thread, uint32_t choice) {
    return dontdo_contains(&((const context_observers *)s)->dontdo,
                           execution_length(search_execution(s)), thread, choice);
}

/* Inserts the plan, and remembers it if the child that it went below does not contain it. */
static wakeup_end insert(observed_search *o) {
    context_observers *c = (context_observers *)o;
    sequence_copy(&c->inserted, &o->plan);
    wakeup_end end = observed_search_insert(o);
    if (end.independent) {
        remembered_add(&c->remembered, end.node, &c->inserted, o->search.reversal.position);
    }
    return end;
}

static bool drops(search *s, uint32_t child) {
    context_observers *c = (context_observers *)s;
    uint32_t thread = wakeup_at(&s->forest, child)->thread;
    if (!skips(s, thread, wakeup_at(&s->forest, child)->choice)) {
        return false;
    }
    uint32_t length = execution_length(search_execution(s));
    uint32_t list = remembered_take(&c->remembered, &s->forest, child);
    search_drop_first(s);
    s->reversal.position = length;
    for (uint32_t i = list; i != REMEMBERED_NONE; i = remembered_next(&c->remembered, i)) {
        if (!remembered_contains(&c->remembered, i, search_execution(s), length, thread,
                                 &c->observed.plan)) {
            insert(&c->observed);
        }
    }
    remembered_drop(&c->remembered, list);
    return true;
}

static void forget_below(context_observers *c, uint32_t node) {
    remembered_drop(&c->remembered,
                    remembered_take(&c->remembered, &c->observed.search.forest, node));
}

static void descend(search *s, const event *taken) {
    context_observers *c = (context_observers *)s;
    uint32_t node = vector_last(&s->roots), position = s->roots.count - 2;
    observed_search_descend(s, taken);
    dontdo_descend(&c->dontdo, taken);
    if (c->refuted.count <= position) {
        vector_push(&c->refuted, (race_tags){0});
    }
    vector_clear(&vector_at(&c->refuted, position));
    if (wakeup_at(&s->forest, node)->first_child == WAKEUP_NONE) {
        forget_below(c, node);
    }
}

static void ascend(search *s, uint32_t length, const event *done) {
    dontdo_ascend(&((context_observers *)s)->dontdo, length);
    observed_search_ascend(s, length, done);
}

/* ---- comparing the two orders of a race ---- */

static bool is_moved(const context_observers *c, uint32_t position, uint32_t second) {
    const reversal *r = &c->observed.search.reversal;
    if (position == r->position || position == second) {
        return true;
    }
    for (uint32_t i = 0; i < r->events.count; i++) {
        if (vector_at(&r->events, i) == position && vector_at(&c->comparison.needed, i)) {
            return true;
        }
    }
    return false;
}

/* False if what causes the event is not there: somebody else woke it in the other order. */
static bool append_swapped(context_observers *c, uint32_t position, footprint f) {
    const execution *e = c->observed.search.reversal.execution;
    operation op = execution_operation(e, position);
    const event *of = execution_event(e, position);
    for (uint32_t i = 0; i < op.cause_count; i++) {
        if (op.causes[i].events > execution_thread_events(&c->swapped, op.causes[i].thread)) {
            return false;
        }
    }
    op.footprint = f;
    execution_append(&c->swapped, of->thread, of->choice, &op);
    return true;
}

static bool append_same(context_observers *c, uint32_t position) {
    const execution *e = c->observed.search.reversal.execution;
    return append_swapped(c, position, execution_event(e, position)->footprint);
}

/* E with the race of e and the event at `second` reversed, as far as both orders lead to the same
 * state: the steps after are the same. */
static bool build_swapped(context_observers *c, uint32_t second) {
    const reversal *r = &c->observed.search.reversal;
    const step_sequence *s = &c->comparison.sequence;
    bool good = true;
    CHECK(s->count >= 2 && second > r->position);
    execution_truncate(&c->swapped, 0);
    execution_reserve_threads(&c->swapped, r->execution->stride);
    for (uint32_t i = 0; i < r->position && good; i++) {
        good = append_same(c, i);
    }
    for (uint32_t i = 0; i < r->events.count && good; i++) {
        good = !vector_at(&c->comparison.needed, i) || append_same(c, vector_at(&r->events, i));
    }
    good = good && append_swapped(c, second, vector_at(s, s->count - 2).footprint) &&
           append_swapped(c, r->position, vector_at(s, s->count - 1).footprint);
    for (uint32_t i = r->position + 1; i < execution_length(r->execution) && good; i++) {
        good = is_moved(c, i, second) || append_same(c, i);
    }
    return good;
}

/* Happens-before is that of E but for the race itself: the edge between its events is inessential.
 */
static bool is_inessential(context_observers *c, uint32_t second) {
    const execution *e = c->observed.search.reversal.execution;
    uint32_t position = c->observed.search.reversal.position;
    const event *first = execution_event(e, position), *last = execution_event(e, second);
    if (!build_swapped(c, second)) {
        return false;
    }
    CHECK(execution_length(&c->swapped) == execution_length(e)); /* the same events */
    observed_order_compute(&c->swapped_order, &c->swapped, 0);
    for (uint32_t i = 0; i < execution_length(e); i++) {
        const event *of = execution_event(e, i);
        uint32_t there = execution_position(&c->swapped, of->thread, of->index);
        const uint32_t *clock = observed_clock(&c->observed.order, e, i);
        const uint32_t *other = observed_clock(&c->swapped_order, &c->swapped, there);
        for (uint32_t t = 0; t < execution_thread_count(e); t++) {
            bool own = (i == second && t == first->thread && clock[t] == first->index + 1 &&
                        other[t] == first->index) ||
                       (i == position && t == last->thread && clock[t] == last->index &&
                        other[t] == last->index + 1);
            if (clock[t] != other[t] && !own) {
                return false;
            }
        }
    }
    return true;
}

/* Names the race of the child that is being explored at E' with an event of another thread. */
static uint32_t race_tag(const event *second) {
    return second->thread << 16 | (second->index & 0xffff);
}

static bool is_refuted(const race_tags *refuted, uint32_t tag) {
    for (uint32_t i = 0; i < refuted->count; i++) {
        if (vector_at(refuted, i) == tag) {
            return true;
        }
    }
    return false;
}

/* Both orders of e and the step lead to the same state, in this execution and in all others below
 * E'.e: then the second order is not to be done. */
static void compare_orders(context_observers *c, sleeper last, uint32_t second) {
    const reversal *r = &c->observed.search.reversal;
    if (second == POSITION_NONE) {
        return;
    }
    uint32_t tag = race_tag(execution_event(r->execution, second));
    race_tags *refuted = &vector_at(&c->refuted, r->position);
    if (is_refuted(refuted, tag)) {
        return;
    }
    if (comparison_commutes(&c->comparison, c->observed.search.base.exploration, r, last) &&
        is_inessential(c, second)) {
        const step_sequence *s = &c->comparison.sequence;
        dontdo_add(&c->dontdo, r->position, s->items, s->count, tag);
    } else {
        vector_push(refuted, tag);
        dontdo_revoke(&c->dontdo, r->position, tag);
    }
}

/* ---- races ---- */

/* Line 10; races that need an observer are never pruned. */
static void reverse_race(search *s, uint32_t thread, const operation *pending, uint32_t second) {
    context_observers *c = (context_observers *)s;
    const operation *op = operation_keep(&c->kept, pending); /* the target will be used */
    for (uint32_t i = 0; i < operation_alternatives(op); i++) {
        sleeper last = {thread, operation_choice(op, i), op->footprint};
        observed_search_try_last(&c->observed, last.thread, last.choice, last.footprint);
        compare_orders(c, last, second);
    }
}

/* Whether an await can go on is seen without any event, so that a step which covers a sequence only
 * because it is independent of it may be one whose continuations were cut: `iy0 / iy0 / wy1 / rx
 * iy0 / wx1 wx1`. */
static bool something_awaits(const search *s) {
    const execution *e = search_execution(s);
    for (uint32_t i = 0; i < execution_length(e); i++) {
        if (operation_has_role(execution_event(e, i)->kind, ROLE_AWAITS)) {
            return true;
        }
    }
    return false;
}

static void start(search *s) {
    s->unsuited |= something_awaits(s);
    observed_search_start(s);
}

static const search_rule context_observers_rule = {
    OBSERVED_SEARCH_RULE,
    .descend = descend,
    .ascend = ascend,
    .skips = skips,
    .when_skipped = DECISION_PRUNED,
    .drops = drops,
    .start = start,
    .reverse = reverse_race,
};

static void context_observers_init(strategy *s) {
    context_observers *c = (context_observers *)s;
    observed_search_init(&c->observed, &context_observers_rule, insert);
    dontdo_init(&c->dontdo);
    remembered_init(&c->remembered);
    execution_init(&c->swapped);
}

static void context_observers_free(strategy *s) {
    context_observers *c = (context_observers *)s;
    s->exploration->dont_do = c->dontdo.most;
    observed_search_free(&c->observed);
    dontdo_free(&c->dontdo);
    remembered_free(&c->remembered);
    vector_free(&c->inserted);
    comparison_free(&c->comparison);
    kept_operation_free(&c->kept);
    execution_free(&c->swapped);
    observed_order_free(&c->swapped_order);
    for (uint32_t i = 0; i < c->refuted.count; i++) {
        vector_free(&vector_at(&c->refuted, i));
    }
    vector_free(&c->refuted);
    for (uint32_t i = 0; i < c->deeds.count; i++) {
        vector_free(&vector_at(&c->deeds, i));
    }
    vector_free(&c->deeds);
}

/* A race between two writes shows only where somebody observes them. Where what a thread does, or
 * how far it comes, depends on the schedule, an observer may be missing in the executions that are
 * left, and be there in those that were cut: `wy1 ry wy1 wx1 / ay wy2 / rx ?ry`, and `rx wx2 l0 /
 * wx1 wx1 j0 rx / l0`. */
static bool a_thread_stops(const strategy *s) {
    target *t = s->exploration->target;
    return t->class->ending(t) != ENDING_COMPLETE;
}

static void note_deeds(context_observers *c, const execution *e) {
    for (uint32_t t = 0; t < execution_thread_count(e); t++) {
        deed_list done = {0};
        for (uint32_t i = 0; i < execution_thread_events(e, t); i++) {
            const event *of = execution_event(e, execution_position(e, t, i));
            vector_push(&done, (deed){of->footprint, of->kind});
        }
        vector_push(&c->deeds, done);
    }
}

static bool does_the_same(const deed_list *known, const execution *e, uint32_t thread) {
    bool same = known->count == execution_thread_events(e, thread);
    for (uint32_t i = 0; i < known->count && same; i++) {
        const event *of = execution_event(e, execution_position(e, thread, i));
        const deed *d = &vector_at(known, i);
        same = of->kind == d->kind && of->footprint == d->footprint;
    }
    return same;
}

/* Some thread does something else than in the first execution. */
static bool a_thread_varies(context_observers *c) {
    const execution *e = search_execution(&c->observed.search);
    if (!c->deeds.count) {
        note_deeds(c, e);
    }
    bool same = c->deeds.count == execution_thread_count(e);
    for (uint32_t t = 0; t < c->deeds.count && same; t++) {
        same = does_the_same(&vector_at(&c->deeds, t), e, t);
    }
    return !same;
}

static void context_observers_ended(strategy *s, enum decision decision) {
    context_observers *c = (context_observers *)s;
    if (decision != DECISION_MAXIMAL) {
        forget_below(c, vector_last(&c->observed.search.roots));
    } else if (a_thread_stops(s) || a_thread_varies(c)) {
        c->observed.search.unsuited = true;
    }
    observed_search_ended(s, decision);
}

extern const strategy_class strategy_context_observers;
const strategy_class strategy_context_observers = {
    .name = "context-observers",
    .summary = "context-sensitive optimal-DPOR with observers: every outcome, not every trace",
    .fallback = "observers",
    .unsuited =
        "a thread whose steps depend on the schedule, an await, or a choice in an atomic "
        "section",
    .states_only = true,
    .size = sizeof(context_observers),
    .init = context_observers_init,
    .free = context_observers_free,
    SEARCH_STRATEGY,
    .ended = context_observers_ended,
};
