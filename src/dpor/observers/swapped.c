#include "dpor/observers/swapped.h"

void swapped_init(swapped_race *s) {
    *s = (swapped_race){0};
    execution_init(&s->execution);
}

void swapped_free(swapped_race *s) {
    execution_free(&s->execution);
    observed_order_free(&s->order);
}

/* The event comes before the race in the reversed order, or is one of its two events. */
static bool is_moved(const reversal *r, const comparison *c, uint32_t position, uint32_t second) {
    if (position == r->position || position == second) {
        return true;
    }
    for (uint32_t i = 0; i < r->events.count; i++) {
        if (vector_at(&r->events, i) == position && vector_at(&c->needed, i)) {
            return true;
        }
    }
    return false;
}

/* False if a cause of the event is missing: another thread woke it in the other order. */
static bool append(swapped_race *s, const execution *e, uint32_t position, footprint f) {
    operation op = execution_operation(e, position);
    const event *of = execution_event(e, position);
    for (uint32_t i = 0; i < op.cause_count; i++) {
        if (op.causes[i].events > execution_thread_events(&s->execution, op.causes[i].thread)) {
            return false;
        }
    }
    op.footprint = f;
    execution_append(&s->execution, of->thread, of->choice, &op);
    return true;
}

static bool append_same(swapped_race *s, const execution *e, uint32_t position) {
    return append(s, e, position, execution_event(e, position)->footprint);
}

/* Both orders lead to the same state, so the steps after them are the same. */
static bool build(swapped_race *s, const reversal *r, const comparison *c, uint32_t second) {
    const execution *e = r->execution;
    const step_sequence *steps = &c->sequence;
    bool good = true;
    CHECK(steps->count >= 2 && second > r->position);
    execution_truncate(&s->execution, 0);
    execution_reserve_threads(&s->execution, e->stride);
    for (uint32_t i = 0; i < r->position && good; i++) {
        good = append_same(s, e, i);
    }
    for (uint32_t i = 0; i < r->events.count && good; i++) {
        good = !vector_at(&c->needed, i) || append_same(s, e, vector_at(&r->events, i));
    }
    good = good && append(s, e, second, vector_at(steps, steps->count - 2).footprint) &&
           append(s, e, r->position, vector_at(steps, steps->count - 1).footprint);
    for (uint32_t i = r->position + 1; i < execution_length(e) && good; i++) {
        good = is_moved(r, c, i, second) || append_same(s, e, i);
    }
    return good;
}

bool swapped_keeps_order(swapped_race *s, const reversal *r, const comparison *c,
                         const observed_order *order, uint32_t second) {
    const execution *e = r->execution;
    const event *first = execution_event(e, r->position), *last = execution_event(e, second);
    if (!build(s, r, c, second)) {
        return false;
    }
    CHECK(execution_length(&s->execution) == execution_length(e)); /* the same events */
    observed_order_compute(&s->order, &s->execution, 0);
    for (uint32_t i = 0; i < execution_length(e); i++) {
        const event *of = execution_event(e, i);
        uint32_t there = execution_position(&s->execution, of->thread, of->index);
        const uint32_t *clock = observed_clock(order, e, i);
        const uint32_t *other = observed_clock(&s->order, &s->execution, there);
        for (uint32_t t = 0; t < execution_thread_count(e); t++) {
            bool own = (i == second && t == first->thread && clock[t] == first->index + 1 &&
                        other[t] == first->index) ||
                       (i == r->position && t == last->thread && clock[t] == last->index &&
                        other[t] == last->index + 1);
            if (clock[t] != other[t] && !own) {
                return false;
            }
        }
    }
    return true;
}
