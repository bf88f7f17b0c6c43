/* Context-sensitive optimal-DPOR with observers (after ISSTA 2019, Algorithm 2; docs/ALGORITHMS.md
 * explains what was changed, and why): which sequences go into the don't-do sets of
 * pruned_search.h.
 *
 * Where both orders of an unconditional race lead to the same state, and happens-before is the same
 * but for the race itself, the second order goes into the don't-do set of E'. The entry is revoked
 * as soon as some execution below E'.e refutes it. */
#include "dpor/comparison.h"
#include "dpor/observers/first_steps.h"
#include "dpor/observers/pruned_search.h"
#include "dpor/observers/swapped.h"

typedef VECTOR(uint32_t) race_tags;

typedef struct context_observers {
    pruned_search pruned; /* first: it is a search with don't-do sets */
    comparison comparison;
    kept_operation kept;
    swapped_race swapped;
    VECTOR(race_tags) refuted; /* by length: races of the current child that are essential */
    first_steps first;         /* the steps of each thread in the first execution that ended */
} context_observers;

static void descend(search *s, const event *taken) {
    context_observers *c = (context_observers *)s;
    uint32_t position = s->roots.count - 2;
    pruned_search_descend(s, taken);
    if (c->refuted.count <= position) {
        vector_push(&c->refuted, (race_tags){0});
    }
    vector_clear(&vector_at(&c->refuted, position));
}

/* ---- comparing the two orders of a race ---- */

/* Names the race of the child that is being explored at E' with an event of another thread. If two
 * races have the same name, what refutes one revokes both: that costs executions, but loses
 * none. */
static uint32_t race_tag(const event *second) {
    return second->thread << 16 | (second->index & 0xffff);
}

/* Both orders of e and the step lead to the same state, in this execution and in all others below
 * E'.e: then the second order must not be explored. */
static void compare_orders(context_observers *c, sleeper last, uint32_t second) {
    search *of = &c->pruned.observed.search;
    const reversal *r = &of->reversal;
    if (second == POSITION_NONE) {
        return;
    }
    CHECK(second > r->position);
    uint32_t tag = race_tag(execution_event(r->execution, second));
    race_tags *refuted = &vector_at(&c->refuted, r->position);
    if (vector_contains(refuted, tag)) {
        return;
    }
    if (comparison_commutes(&c->comparison, of->base.exploration, r, last) &&
        swapped_keeps_order(&c->swapped, r, &c->comparison, &c->pruned.observed.order, second)) {
        const step_sequence *s = &c->comparison.sequence;
        dontdo_add(&c->pruned.dontdo, r->position, s->items, s->count, tag);
    } else {
        vector_push(refuted, tag);
        dontdo_revoke(&c->pruned.dontdo, r->position, tag);
    }
}

/* ---- races ---- */

/* Line 10; races that need an observer are never pruned. */
static void reverse_race(search *s, uint32_t thread, const operation *pending, uint32_t second) {
    context_observers *c = (context_observers *)s;
    const operation *op = operation_keep(&c->kept, pending); /* the target will be used */
    for (uint32_t i = 0; i < operation_alternatives(op); i++) {
        sleeper last = {thread, operation_choice(op, i), op->footprint};
        observed_search_try_last(&c->pruned.observed, last.thread, last.choice, last.footprint);
        compare_orders(c, last, second);
    }
}

/* An await can be seen to be enabled without any event. A step that covers a sequence only because
 * it is independent of it may therefore be one whose continuations were cut: `iy0 / iy0 / wy1 / rx
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
    PRUNED_SEARCH_RULE,
    .descend = descend,
    .start = start,
    .reverse = reverse_race,
};

static void context_observers_init(strategy *s) {
    context_observers *c = (context_observers *)s;
    pruned_search_init(&c->pruned, &context_observers_rule);
    swapped_init(&c->swapped);
}

static void context_observers_free(strategy *s) {
    context_observers *c = (context_observers *)s;
    pruned_search_free(&c->pruned);
    comparison_free(&c->comparison);
    kept_operation_free(&c->kept);
    swapped_free(&c->swapped);
    for (uint32_t i = 0; i < c->refuted.count; i++) {
        vector_free(&vector_at(&c->refuted, i));
    }
    vector_free(&c->refuted);
    first_steps_free(&c->first);
}

/* A race between two writes shows only where a step observes them. If what a thread does, or how
 * far it gets, depends on the schedule, the observer may occur in executions that were cut and in
 * none of those that are left: `wy1 ry wy1 wx1 / ay wy2 / rx ?ry`, and `rx wx2 l0 / wx1 wx1 j0 rx /
 * l0`. */
static bool a_thread_stops(const strategy *s) {
    target *t = s->exploration->target;
    return t->class->ending(t) != ENDING_COMPLETE;
}

static void context_observers_ended(strategy *s, enum decision decision) {
    context_observers *c = (context_observers *)s;
    if (decision == DECISION_MAXIMAL) {
        c->pruned.observed.search.unsuited |=
            a_thread_stops(s) || !first_steps_same(&c->first, search_execution((search *)s));
    }
    pruned_search_ended(s, decision);
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
