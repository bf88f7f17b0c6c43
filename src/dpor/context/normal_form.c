#include "dpor/context/normal_form.h"

/* ---- normal forms ---- */

/* The events of other threads that conflict directly with a step that `thread` takes at the end,
 * with nothing between. There are none for an acquisition, which comes after the release that
 * enables it, and none for a time-out: a wakeup turns that into another step, so its races would
 * not be seen where it is not allowed. */
static void find_rivals(context *c, const execution *e, uint32_t thread, const operation *op) {
    vector_clear(&c->rivals);
    if (!(op->flags & (OPERATION_ACQUIRES | OPERATION_BLOCKS)) &&
        !operation_has_role(op->kind, ROLE_TIMES_OUT)) {
        race_find(e, execution_length(e), thread, op, &c->rivals);
    }
    if (operation_has_role(op->kind, ROLE_AWAITS) && c->rivals.count > 1) {
        c->rivals.count = 1; /* the latest write; the other events come before it */
    }
}

static bool touch_the_same(const comparison *c, sleeper first, sleeper second) {
    const step_sequence *s = &c->sequence;
    return vector_at(s, s->count - 2).footprint == first.footprint &&
           vector_at(s, s->count - 1).footprint == second.footprint;
}

/* Both orders of the event at `rival` and the step lead to the same state. The first `shared`
 * events are those of the current execution. */
static bool commutes(context *c, const execution *e, uint32_t shared, uint32_t rival,
                     sleeper step) {
    step_sequence *s = &c->comparison.sequence;
    CHECK(rival < execution_length(e) && shared <= execution_length(e));
    uint32_t length = rival < shared ? rival : shared;
    sleeper before = sequence_step_of(execution_event(e, rival));
    vector_clear(s);
    for (uint32_t i = length; i < execution_length(e); i++) {
        if (i < rival || !execution_before(e, rival, i)) {
            vector_push(s, sequence_step_of(execution_event(e, i)));
        }
    }
    return comparison_of_orders(&c->comparison, c->sleep.search.base.exploration, length, before,
                                step, touch_the_same);
}

uint32_t normal_form_objection(context *c, const execution *e, uint32_t shared, uint32_t thread,
                               uint32_t choice, const operation *op) {
    event_name name = {thread, execution_thread_events(e, thread)};
    find_rivals(c, e, thread, op);
    for (uint32_t i = 0; i < c->rivals.count; i++) {
        const event *rival = execution_event(e, vector_at(&c->rivals, i));
        event_name other = {rival->thread, rival->index};
        if (preference_holds(&c->preferences, other, name) ||
            !commutes(c, e, shared, vector_at(&c->rivals, i),
                      (sleeper){thread, choice, op->footprint})) {
            continue;
        }
        if (preference_holds(&c->preferences, name, other)) {
            return vector_at(&c->rivals, i);
        }
        preference_settle(&c->preferences, other, name);
    }
    return POSITION_NONE;
}

static bool is_allowed(search *s, uint32_t thread, uint32_t choice, const operation *op) {
    const execution *e = &s->base.exploration->execution;
    return normal_form_objection((context *)s, e, execution_length(e), thread, choice, op) ==
           POSITION_NONE;
}

/* ---- races ---- */

/* A step that varies may conflict in its new place although it does not in the old one; it may have
 * been refused where it did. */
static bool may_conflict(search *s, const event *e, uint32_t thread, const operation *op) {
    event_name name = {thread, vector_at(&s->reversal.end, thread)};
    if (footprint_conflict(e->footprint, op->footprint) ||
        operation_caused_by(op, e->thread, e->index)) {
        return true;
    }
    if (normal_form_varies(op)) {
        return preference_is_first(&((context *)s)->preferences, name);
    }
    return footprint_has_object(e->footprint, footprint_access(op->footprint, 0).object);
}

static void consider(search *s, uint32_t thread, const operation *op, uint32_t second) {
    if (!(op->flags & OPERATION_VARIES) || may_conflict(s, search_first(s), thread, op)) {
        search_place(s, thread, op, second);
    }
}

static const search_rule normal_form_rule = {
    SEARCH_SLEEP_RULE,   .allows = is_allowed, .consider = consider, .reverse = normal_form_reverse,
    .tries_parts = true,
};

void normal_form_init(strategy *s, const normal_form_plan *plan) {
    context *c = (context *)s;
    search_sleep_init(&c->sleep, &normal_form_rule);
    execution_init(&c->placed);
    c->plan = plan;
}

void normal_form_free(strategy *s) {
    context *c = (context *)s;
    search_sleep_free(&c->sleep);
    preference_free(&c->preferences);
    comparison_free(&c->comparison);
    execution_free(&c->placed);
    vector_free(&c->rivals);
    saved_reversal_free(&c->whole);
    kept_operation_free(&c->kept);
}
