#include "dpor/context/normal_form.h"

/* Sequences that are tried for one race, where parts of notdep(e,E) have to be left out. */
#define MOST_ATTEMPTS 1000

/* ---- normal forms ---- */

/* The events of other threads, in conflict with a step that `thread` takes at the end, between
 * which and the step there is nothing. None for an acquisition, which comes after the release that
 * enables it; and none for a time-out, which a waking turns into another step, so that its races
 * would not show where it is not allowed. */
static void find_rivals(context *c, const execution *e, uint32_t thread, const operation *op) {
    vector_clear(&c->rivals);
    if (!(op->flags & (OPERATION_ACQUIRES | OPERATION_BLOCKS)) &&
        !operation_has_role(op->kind, ROLE_TIMES_OUT)) {
        race_find(e, execution_length(e), thread, op, &c->rivals);
    }
    if (operation_has_role(op->kind, ROLE_AWAITS) && c->rivals.count > 1) {
        c->rivals.count = 1; /* the latest write; the others come before it */
    }
}

/* Runs what comes before the two steps and then them; they touch what they should. */
static bool run_pair(context *c, uint32_t length, uint32_t others, sleeper first, sleeper second) {
    step_sequence *s = &c->comparison.sequence;
    s->count = others;
    vector_push(s, first);
    vector_push(s, second);
    return comparison_run(&c->comparison, c->sleep.search.base.exploration, length) &&
           vector_at(s, others).footprint == first.footprint &&
           vector_at(s, others + 1).footprint == second.footprint;
}

/* Both orders of the event at `rival` and the step lead to the same state. The first `shared`
 * events are those of the present execution. */
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
    uint32_t others = s->count;
    if (!run_pair(c, length, others, before, step)) {
        return false;
    }
    comparison_keep(&c->comparison, c->sleep.search.base.exploration);
    return run_pair(c, length, others, step, before) &&
           comparison_holds(&c->comparison, c->sleep.search.base.exploration);
}

/* The step keeps the execution in normal form; otherwise the event that it should have come before,
 * or POSITION_NONE. */
static uint32_t find_objection(context *c, const execution *e, uint32_t shared, uint32_t thread,
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
    return find_objection((context *)s, e, execution_length(e), thread, choice, op) ==
           POSITION_NONE;
}

/* ---- reversing races ---- */

/* E'.w: where the last step of the reversal is to be taken. */
static void place(context *c) {
    const reversal *r = &c->sleep.search.reversal;
    const execution *e = r->execution;
    execution_truncate(&c->placed, 0);
    execution_reserve_threads(&c->placed, e->stride);
    for (uint32_t i = 0; i < r->position + r->events.count; i++) {
        uint32_t position = i < r->position ? i : vector_at(&r->events, i - r->position);
        const event *of = execution_event(e, position);
        operation op = execution_operation(e, position);
        execution_append(&c->placed, of->thread, of->choice, &op);
    }
}

/* Lines 5-7, if the step is allowed in its new place. Otherwise the event of notdep(e,E) that
 * stands in its way is returned, or POSITION_NONE if that is not one of them. */
static uint32_t insert_alternative(context *c, uint32_t thread, uint32_t choice,
                                   const operation *op) {
    reversal *r = &c->sleep.search.reversal;
    reversal_set_last(r, thread, choice, op);
    if (c->plan->is_covered(&c->sleep.search)) {
        return POSITION_NONE;
    }
    place(c);
    uint32_t objection = find_objection(c, &c->placed, r->position, thread, choice, op);
    if (objection == POSITION_NONE) {
        c->plan->insert(&c->sleep.search);
    } else if (objection >= r->position) {
        return vector_at(&r->events, objection - r->position);
    }
    return POSITION_NONE;
}

/* What it touches differs from place to place; a compare-and-swap or an await touches the same
 * object everywhere. */
static bool may_become_another(const operation *op) {
    return op->flags & OPERATION_VARIES && !(op->flags & OPERATION_BLOCKS) &&
           !operation_has_role(op->kind, ROLE_COMPARES | ROLE_AWAITS);
}

/* The step races with e where the reversal places it. Of one that does not vary it is known that it
 * can be taken there. */
static bool races(const context *c, uint32_t choice, const operation *op) {
    const reversal *r = &c->sleep.search.reversal;
    bool enabled = operation_enabled(op) || !(op->flags & OPERATION_VARIES);
    return enabled && operation_has_alternative(op, choice) &&
           footprint_conflict(execution_event(r->execution, r->position)->footprint, op->footprint);
}

/* The step without an event of notdep(e,E) and without what happens after that. NULL: it is not
 * there then. */
static const operation *leave_out(context *c, uint32_t position, uint32_t thread,
                                  const operation *op) {
    reversal *r = &c->sleep.search.reversal;
    uint32_t before = vector_at(&r->end, thread);
    CHECK(position > r->position); /* an event of notdep(e,E) */
    reversal_leave_out(r, position);
    if (vector_at(&r->end, thread) != before ||
        !reversal_has_causes(r, op->causes, op->cause_count)) {
        return NULL;
    }
    if (op->flags & OPERATION_VARIES) {
        op = exploration_probe_events(c->sleep.search.base.exploration, r->position,
                                      r->events.items, r->events.count, thread);
        return op ? operation_keep(&c->kept, op) : NULL;
    }
    return op;
}

static bool writes_what_is_touched(footprint writer, footprint other) {
    for (uint32_t i = 0; i < footprint_count(writer); i++) {
        memory_access a = footprint_access(writer, i);
        for (uint32_t k = 0; a.mode & ACCESS_WRITE && k < footprint_count(other); k++) {
            memory_access b = footprint_access(other, k);
            if (a.object == b.object && a.bytes & b.bytes) {
                return true;
            }
        }
    }
    return false;
}

/* Something in notdep(e,E) writes what the step touches: as e conflicts with the step and not with
 * that, they touch different parts of it. */
static bool has_several_parts(const context *c, const operation *op) {
    const reversal *r = &c->sleep.search.reversal;
    for (uint32_t i = 0; i < r->events.count; i++) {
        const event *of = execution_event(r->execution, vector_at(&r->events, i));
        if (writes_what_is_touched(of->footprint, op->footprint)) {
            return true;
        }
    }
    return false;
}

static void insert_without_each(context *c, uint32_t thread, uint32_t choice, const operation *op,
                                uint32_t end);

/* Inserts notdep(e,E).p, or as much of it as lets p be taken. Where only reads stand before p, one
 * that stands in its way is left out, and so on; where there are writes, or where p may become
 * another step, everything is tried, without events before position `end` of notdep(e,E). */
static void insert_allowed(context *c, uint32_t thread, uint32_t choice, const operation *op,
                           uint32_t end) {
    uint32_t objection;
    event_name name = {thread, vector_at(&c->sleep.search.reversal.end, thread)};
    if (preference_is_first(&c->preferences, name) &&
        (may_become_another(op) || has_several_parts(c, op))) {
        if (races(c, choice, op)) {
            insert_alternative(c, thread, choice, op);
        }
        insert_without_each(c, thread, choice, op, end);
        return;
    }
    while (op && races(c, choice, op) &&
           (objection = insert_alternative(c, thread, choice, op)) != POSITION_NONE) {
        op = leave_out(c, objection, thread, op);
    }
}

/* Without each of the events of notdep(e,E) that p conflicts with, in turn: the latest first, so
 * that no part is tried twice as long as p touches the same. */
static void insert_without_each(context *c, uint32_t thread, uint32_t choice, const operation *op,
                                uint32_t end) {
    const execution *e = c->sleep.search.reversal.execution;
    saved_reversal saved = {0};
    kept_operation here = {0};
    op = operation_keep(&here, op);
    reversal_save(&c->sleep.search.reversal, &saved);
    for (uint32_t i = saved.events.count; i-- > 0 && !c->sleep.search.unsuited;) {
        uint32_t position = vector_at(&saved.events, i);
        const event *of = execution_event(e, position);
        if (position >= end || of->thread == thread ||
            !footprint_conflict(of->footprint, op->footprint)) {
            continue;
        }
        c->sleep.search.unsuited = ++c->attempts > MOST_ATTEMPTS;
        const operation *left = leave_out(c, position, thread, op);
        if (left) {
            insert_allowed(c, thread, choice, left,
                           left->footprint == op->footprint ? position : POSITION_NONE);
        }
        reversal_restore(&c->sleep.search.reversal, &saved);
    }
    kept_operation_free(&here);
    saved_reversal_free(&saved);
}

static void reverse_race(search *s, uint32_t thread, const operation *pending, uint32_t second) {
    (void)second;
    context *c = (context *)s;
    kept_operation all = {0}; /* the target will be used */
    const operation *op = operation_keep(&all, pending);
    reversal_save(&c->sleep.search.reversal, &c->whole);
    c->attempts = 0;
    for (uint32_t i = 0; i < operation_alternatives(op); i++) {
        insert_allowed(c, thread, operation_choice(op, i), op, POSITION_NONE);
        reversal_restore(&c->sleep.search.reversal, &c->whole);
    }
    kept_operation_free(&all);
}

/* A step that varies may conflict in its new place though it does not in the old one: where it did,
 * it may have been refused. */
static bool may_conflict(search *s, const event *e, uint32_t thread, const operation *op) {
    event_name name = {thread, vector_at(&s->reversal.end, thread)};
    if (footprint_conflict(e->footprint, op->footprint) ||
        operation_caused_by(op, e->thread, e->index)) {
        return true;
    }
    if (may_become_another(op)) {
        return preference_is_first(&((context *)s)->preferences, name);
    }
    uint32_t object = footprint_access(op->footprint, 0).object;
    for (uint32_t i = 0; i < footprint_count(e->footprint); i++) {
        if (footprint_access(e->footprint, i).object == object) {
            return true;
        }
    }
    return false;
}

static void consider(search *s, uint32_t thread, const operation *op, uint32_t second) {
    if (!(op->flags & OPERATION_VARIES) || may_conflict(s, search_first(s), thread, op)) {
        search_place(s, thread, op, second);
    }
}

const search_rule normal_form_rule = {
    SEARCH_SLEEP_RULE,       .allows = is_allowed, .consider = consider,
    .reverse = reverse_race, .tries_parts = true,
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
