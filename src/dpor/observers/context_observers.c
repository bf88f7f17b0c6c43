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
#include "dpor/observers/first_steps.h"
#include "dpor/observers/observed_search.h"
#include "dpor/observers/swapped.h"
#include "dpor/remembered.h"

typedef VECTOR(uint32_t) race_tags;

typedef struct context_observers {
    observed_search observed; /* first: it is a search with observers */
    dontdo_stack dontdo;
    remembered_pool remembered;
    step_sequence inserted;
    comparison comparison;
    kept_operation kept;
    swapped_race swapped;
    VECTOR(race_tags) refuted; /* by length: races of the present child that are essential */
    first_steps first;         /* what threads did in the first execution that ended */
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

/* Names the race of the child that is being explored at E' with an event of another thread. Where
 * two races have one name, what refutes one revokes both: that costs executions, and loses none. */
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
    CHECK(second > r->position);
    uint32_t tag = race_tag(execution_event(r->execution, second));
    race_tags *refuted = &vector_at(&c->refuted, r->position);
    if (is_refuted(refuted, tag)) {
        return;
    }
    if (comparison_commutes(&c->comparison, c->observed.search.base.exploration, r, last) &&
        swapped_keeps_order(&c->swapped, r, &c->comparison, &c->observed.order, second)) {
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
    swapped_init(&c->swapped);
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
    swapped_free(&c->swapped);
    for (uint32_t i = 0; i < c->refuted.count; i++) {
        vector_free(&vector_at(&c->refuted, i));
    }
    vector_free(&c->refuted);
    first_steps_free(&c->first);
}

/* A race between two writes shows only where somebody observes them. Where what a thread does, or
 * how far it comes, depends on the schedule, an observer may be missing in the executions that are
 * left, and be there in those that were cut: `wy1 ry wy1 wx1 / ay wy2 / rx ?ry`, and `rx wx2 l0 /
 * wx1 wx1 j0 rx / l0`. */
static bool a_thread_stops(const strategy *s) {
    target *t = s->exploration->target;
    return t->class->ending(t) != ENDING_COMPLETE;
}

static void context_observers_ended(strategy *s, enum decision decision) {
    context_observers *c = (context_observers *)s;
    if (decision != DECISION_MAXIMAL) {
        forget_below(c, vector_last(&c->observed.search.roots));
    } else if (a_thread_stops(s) ||
               !first_steps_same(&c->first, search_execution(&c->observed.search))) {
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
