/* Races where writes are ordered only if observed: TACAS 2018, Algorithm 1, lines 3-10. */
#include "dpor/observers/observed_search.h"

bool observed_search_conflict(footprint a, footprint b) {
    return observed_relation(a, b) == RELATION_ORDERED;
}

/* ---- races with observers: line 8 ---- */

/* No event is between e and the event in happens-before. */
static bool is_direct(const observed_search *o, uint32_t position) {
    const reversal *r = &o->search.reversal;
    const execution *e = r->execution;
    const event *first = search_first(&o->search);
    CHECK(position > r->position);
    if (observed_clock(&o->order, e, position)[first->thread] > first->index + 1) {
        return false;
    }
    for (uint32_t i = 0; i < r->after.count; i++) {
        uint32_t other = vector_at(&r->after, i);
        if (other != position && observed_before(&o->order, e, other, position)) {
            return false;
        }
    }
    return true;
}

/* Events that read what the event at `position` wrote, before it is overwritten. */
static void find_readers(observed_search *o, uint32_t position) {
    const execution *e = o->search.reversal.execution;
    vector_clear(&o->readers);
    footprint left = footprint_writes(execution_event(e, position)->footprint);
    for (uint32_t i = position + 1; i < execution_length(e) && left != FOOTPRINT_EMPTY; i++) {
        footprint f = execution_event(e, i)->footprint;
        if (footprint_reads(f, left)) {
            vector_push(&o->readers, i);
        }
        left = footprint_remaining(left, f);
    }
}

static bool is_after_reader(const observed_search *o, uint32_t position) {
    const execution *e = o->search.reversal.execution;
    for (uint32_t i = 0; i < o->readers.count; i++) {
        if (observed_before(&o->order, e, vector_at(&o->readers, i), position)) {
            return true;
        }
    }
    return false;
}

/* The event, which comes after e, happens after it. */
static bool is_after(const reversal *r, const event *of) {
    return of->index >= vector_at(&r->end, of->thread);
}

/* The pending operation of `thread` after E' and the plan. */
static const operation *probe(observed_search *o, uint32_t thread) {
    vector_clear(&o->steps);
    for (uint32_t i = 0; i < o->plan.count; i++) {
        vector_push(&o->steps,
                    (step){vector_at(&o->plan, i).thread, vector_at(&o->plan, i).choice});
    }
    return exploration_probe(o->search.base.exploration, o->search.reversal.position,
                             o->steps.items, o->steps.count, thread);
}

/* The observer comes last, after both writes. False: it cannot run there, or it is a section that
 * has other choices there, which this algorithm does not handle. */
static bool plan_observer(observed_search *o, uint32_t position) {
    const event *observer = execution_event(o->search.reversal.execution, position);
    sleeper last = sequence_step_of(observer);
    if (observer->flags & OPERATION_VARIES) {
        const operation *pending = probe(o, observer->thread);
        if (!pending || !operation_enabled(pending)) {
            return false;
        }
        if (observed_search_is_other_section(pending, observer->choice)) {
            o->search.unsuited = true;
            return false;
        }
        last.footprint = pending->footprint;
    }
    vector_push(&o->plan, last);
    return true;
}

/* v = notdep(e,E).e'.e.(notobs(e,e',E) \ e').o, where o->readers are the observers. */
static void reverse_before_observer(observed_search *o, uint32_t second) {
    const reversal *r = &o->search.reversal;
    const execution *e = r->execution;
    CHECK(o->readers.count && vector_at(&o->readers, 0) > r->position);
    observed_search_plan_notdep(o);
    vector_push(&o->plan, sequence_step_of(execution_event(e, second)));
    vector_push(&o->plan, sequence_step_of(search_first(&o->search)));
    for (uint32_t i = r->position + 1; i < execution_length(e); i++) {
        const event *of = execution_event(e, i);
        if (i != second && is_after(r, of) && !is_after_reader(o, i)) {
            vector_push(&o->plan, sequence_step_of(of));
        }
    }
    uint32_t reader = vector_at(&o->readers, 0);
    if (plan_observer(o, reader)) {
        observed_search_try(o);
    }
}

/* The race of e with the write or send at position `second`. */
static void reverse(observed_search *o, uint32_t second, enum relation relation) {
    const reversal *r = &o->search.reversal;
    const event_future *futures = o->order.futures.items;
    if (relation == RELATION_OBSERVED && futures[second].observed && is_direct(o, second)) {
        find_readers(o, second);
        reverse_before_observer(o, second);
    } else if (relation == RELATION_MAIL &&
               observed_mail_ordered(&o->order, r->execution, r->position, second) &&
               is_direct(o, second)) {
        vector_clear(&o->readers);
        vector_push(&o->readers, futures[r->position].receiver);
        reverse_before_observer(o, second);
    }
}

/* ---- all races ---- */

/* Line 10 reverses races as optimal-DPOR does; line 8 is different. */
void observed_search_consider(search *s, uint32_t thread, const operation *op, uint32_t second) {
    const event *first = search_first(s);
    enum relation relation = observed_relation(first->footprint, op->footprint);
    if (relation == RELATION_ORDERED ||
        (op->flags & OPERATION_VARIES && operation_caused_by(op, first->thread, first->index))) {
        search_place(s, thread, op, second);
    } else if (relation != RELATION_NONE && second != POSITION_NONE) {
        reverse((observed_search *)s, second, relation);
    }
}
