#include "dpor/observers/observed_search.h"

void observed_search_init(observed_search *o, const search_rule *rule,
                          wakeup_end (*insert)(observed_search *)) {
    search_init(&o->search, rule);
    o->insert = insert;
    watch_stack_init(&o->watches);
    o->check = observed_check_new();
}

void observed_search_free(observed_search *o) {
    search_free(&o->search);
    watch_stack_free(&o->watches);
    observed_order_free(&o->order);
    vector_free(&o->rows);
    vector_free(&o->readers);
    vector_free(&o->plan);
    vector_free(&o->steps);
    vector_free(&o->path);
    watch_free(&o->node);
    watch_free(&o->trial);
    observed_check_free(o->check);
}

/* ---- exploration phase ---- */

/* Line 22. */
void observed_search_descend(search *s, const event *taken) {
    search_check_planned(s, taken);
    watch_stack_descend(&((observed_search *)s)->watches, taken);
    /* An observer may have other alternatives after the swapped writes. */
    s->unsuited |= operation_has_role(taken->kind, ROLE_SECTION) && taken->choice != CHOICE_NONE;
}

/* Line 24. */
void observed_search_ascend(search *s, uint32_t length, const event *done) {
    observed_search *o = (observed_search *)s;
    watch_stack_ascend(&o->watches, length, done);
    observed_check_done(o->check, length, (step){done->thread, done->choice});
    o->same = length < o->same ? length : o->same;
}

/* The step had other choices in the place where it was planned. */
bool observed_search_is_unsuited(const search *s, uint32_t thread, uint32_t choice) {
    const operation *pending = exploration_pending(s->base.exploration, thread);
    return pending && observed_search_is_other_section(pending, choice);
}

/* Explored steps are watched, not avoided: whether they cover the execution is known at its end.
 * */
bool observed_search_is_covered(const search *s) {
    return watch_left(watch_stack_at(&((const observed_search *)s)->watches,
                                     execution_length(search_execution(s))));
}

/* ---- happens-before ---- */

void observed_search_start(search *s) {
    observed_search *o = (observed_search *)s;
    const execution *e = search_execution(s);
    uint32_t threads = execution_thread_count(e);
    s->reversal.execution = e;
    CHECK(o->same <= execution_length(e));
    observed_order_compute(&o->order, e, o->same);
    o->same = execution_length(e);
    vector_resize(&o->rows, threads * e->stride);
    vector_resize(&s->reversal.end, e->stride);
    for (uint32_t t = 0; t < e->stride; t++) {
        vector_at(&s->reversal.end, t) = execution_thread_events(e, t);
    }
    for (uint32_t t = 0; t < threads; t++) {
        for (uint32_t other = 0; other < e->stride; other++) {
            vector_at(&o->rows, t * e->stride + other) = vector_at(&s->reversal.end, other);
        }
    }
}

static void add_after(reversal *r, uint32_t position) {
    uint32_t at = r->after.count;
    vector_push(&r->after, position);
    for (; at > 0 && vector_at(&r->after, at - 1) > position; at--) {
        vector_at(&r->after, at) = vector_at(&r->after, at - 1);
    }
    vector_at(&r->after, at) = position;
}

/* What happens after e, per thread. It includes what happens after the next event of e's thread, so
 * the row starts from that event's. */
void observed_search_open(search *s, uint32_t position) {
    observed_search *o = (observed_search *)s;
    reversal *r = &s->reversal;
    const execution *e = r->execution;
    const event *first = execution_event(e, position);
    uint32_t thread = first->thread, index = first->index, threads = execution_thread_count(e);
    size_t stride = e->stride;
    /* for each event, how much of e's thread happens before it */
    const uint32_t *column = o->order.clocks.items + thread;
    uint32_t *row = &vector_at(&o->rows, thread * stride), *end = r->end.items;
    r->position = position;
    r->has_events = false;
    vector_clear(&r->after);
    for (uint32_t t = 0; t < threads; t++) {
        uint32_t count = row[t];
        DEBUG_CHECK(count <= execution_thread_events(e, t));
        if (t == thread) {
            end[t] = row[t] = index;
            continue;
        }
        while (count && column[execution_position(e, t, count - 1) * stride] > index) {
            count--;
        }
        end[t] = row[t] = count;
        if (count < execution_thread_events(e, t)) {
            add_after(r, execution_position(e, t, count));
        }
    }
}

/* ---- wakeup sequences ---- */

void observed_search_plan_notdep(observed_search *o) {
    reversal *r = &o->search.reversal;
    reversal_find_events(r);
    vector_resize(&o->plan, r->events.count);
    for (uint32_t i = 0; i < r->events.count; i++) {
        vector_at(&o->plan, i) =
            sequence_step_of(execution_event(r->execution, vector_at(&r->events, i)));
    }
}

static void check_plan(observed_search *o) {
    for (uint32_t i = 0; i < o->plan.count; i++) {
        observed_check_step(o->check,
                            (step){vector_at(&o->plan, i).thread, vector_at(&o->plan, i).choice});
    }
}

/* Line 11, Definition 3. */
static bool is_redundant(observed_search *o) {
    uint32_t position = o->search.reversal.position;
    const watch *w = watch_stack_at(&o->watches, position);
    bool redundant = false;
    if (watch_left(w)) {
        watch_copy(&o->trial, w);
        redundant = watch_covers(&o->trial, &o->plan);
    }
    observed_check_redundant(o->check, position, redundant);
    check_plan(o);
    return redundant;
}

/* A child of the tree is a weak initial of the plan if the plan is redundant once the child has
 * been explored. */
static bool is_weak_initial(void *context, const wakeup_node *child) {
    observed_search *o = context;
    watch_copy(&o->trial, &o->node);
    watch_add(&o->trial, child->thread, child->choice, child->footprint);
    bool initial = watch_covers(&o->trial, &o->plan);
    observed_check_child(o->check, o->search.reversal.position, o->path.count,
                         (step){child->thread, child->choice}, initial);
    for (uint32_t i = 0; i < o->path.count; i++) {
        observed_check_step(o->check, vector_at(&o->path, i));
    }
    check_plan(o);
    if (initial) {
        watch_pass(&o->node, child->thread, child->choice, child->footprint);
        vector_push(&o->path, (step){child->thread, child->choice});
    }
    return initial;
}

wakeup_end observed_search_insert(observed_search *o) {
    search *s = &o->search;
    watch_copy(&o->node, watch_stack_at(&o->watches, s->reversal.position));
    watch_forget(&o->node);
    vector_clear(&o->path);
    return wakeup_insert_steps(&s->forest, vector_at(&s->roots, s->reversal.position), &o->plan,
                               is_weak_initial, o);
}

void observed_search_try(observed_search *o) {
    if (!is_redundant(o)) {
        o->insert(o);
    }
}

void observed_search_try_last(observed_search *o, uint32_t thread, uint32_t choice, footprint f) {
    observed_search_plan_notdep(o);
    vector_push(&o->plan, (sleeper){thread, choice, f});
    observed_search_try(o);
}

/* Lines 3-12. */
void observed_search_ended(strategy *base, enum decision decision) {
    search_ended(base, decision);
    observed_check_all(((observed_search *)base)->check, base->exploration);
}
