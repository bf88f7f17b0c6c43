/* The sequences that reverse a race so that the execution stays in normal form: notdep(e,E).p (JACM
 * 2017, Algorithm 2, lines 5-7), or, where p is not allowed after that, p after a part of it. */
#include "dpor/context/normal_form.h"

/* How many sequences are tried for one race if parts of notdep(e,E) have to be left out. */
#define MOST_ATTEMPTS 1000

/* Lines 5-7, if the step is allowed in its new place. Otherwise returns the event of notdep(e,E)
 * that prevents it, or POSITION_NONE if that is not one of them. */
static uint32_t insert_alternative(context *c, uint32_t thread, uint32_t choice,
                                   const operation *op) {
    reversal *r = &c->sleep.search.reversal;
    reversal_set_last(r, thread, choice, op);
    if (c->plan->is_covered(&c->sleep.search)) {
        return POSITION_NONE;
    }
    reversal_copy_before_last(r, &c->placed);
    uint32_t objection = normal_form_objection(c, &c->placed, r->position, thread, choice, op);
    if (objection == POSITION_NONE) {
        c->plan->insert(&c->sleep.search);
    } else if (objection >= r->position) {
        return vector_at(&r->events, objection - r->position);
    }
    return POSITION_NONE;
}

/* The step races with e where the reversal places it. A step that does not vary can always be taken
 * there. */
static bool races(const context *c, uint32_t choice, const operation *op) {
    const reversal *r = &c->sleep.search.reversal;
    bool enabled = operation_enabled(op) || !(op->flags & OPERATION_VARIES);
    return enabled && operation_has_alternative(op, choice) &&
           footprint_conflict(execution_event(r->execution, r->position)->footprint, op->footprint);
}

/* The step when an event of notdep(e,E) and everything that happens after it are left out. NULL:
 * the thread then has no such step. */
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
        op = search_probe(&c->sleep.search, thread);
        return op ? operation_keep(&c->kept, op) : NULL;
    }
    return op;
}

static bool first_writes(const memory_access *a, const memory_access *b) {
    return a->mode & ACCESS_WRITE && a->bytes & b->bytes;
}

/* Something in notdep(e,E) writes what the step accesses. Since e conflicts with the step but not
 * with that write, they access different parts of it. */
static bool has_several_parts(const context *c, const operation *op) {
    const reversal *r = &c->sleep.search.reversal;
    for (uint32_t i = 0; i < r->events.count; i++) {
        const event *of = execution_event(r->execution, vector_at(&r->events, i));
        if (footprint_any_pair(of->footprint, op->footprint, first_writes)) {
            return true;
        }
    }
    return false;
}

static void insert_without_each(context *c, uint32_t thread, uint32_t choice, const operation *op,
                                uint32_t end);

/* Inserts notdep(e,E).p, or as much of it as lets p be taken. If only reads come before p, each
 * read that prevents it is left out in turn; if there are writes, or if p may become another step,
 * every part is tried, without events before position `end` of notdep(e,E). */
static void insert_allowed(context *c, uint32_t thread, uint32_t choice, const operation *op,
                           uint32_t end) {
    uint32_t objection;
    event_name name = {thread, vector_at(&c->sleep.search.reversal.end, thread)};
    if (preference_is_first(&c->preferences, name) &&
        (normal_form_varies(op) || has_several_parts(c, op))) {
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

/* Leaves out each of the events of notdep(e,E) that p conflicts with, in turn: the latest first, so
 * that no part is tried twice as long as p accesses the same objects. */
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

void normal_form_reverse(search *s, uint32_t thread, const operation *pending, uint32_t second) {
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
