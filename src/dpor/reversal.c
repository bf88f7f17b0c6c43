#include "dpor/reversal.h"

#include <string.h>

void reversal_init(reversal *r) {
    *r = (reversal){0};
}

void reversal_free(reversal *r) {
    vector_free(&r->events);
    vector_free(&r->begin);
    vector_free(&r->end);
    vector_free(&r->next);
    vector_free(&r->after);
    vector_free(&r->closed);
    vector_free(&r->last_clock);
}

void reversal_start(reversal *r, const execution *e) {
    r->execution = e;
    r->position = e->events.count;
    vector_resize(&r->begin, e->stride);
    for (uint32_t t = 0; t < e->stride; t++) {
        vector_at_fast(&r->begin, t) = execution_thread_events(e, t);
    }
}

void reversal_open(reversal *r, uint32_t position) {
    const execution *e = r->execution;
    CHECK(position < r->position && r->begin.count == e->stride);
    while (r->position > position) {
        vector_at_fast(&r->begin, execution_event(e, --r->position)->thread)--;
    }
    uint32_t stride = e->stride, length = e->events.count;
    vector_resize(&r->end, stride);
    vector_resize(&r->closed, stride);
    vector_resize(&r->events, length);
    memcpy(r->end.items, r->begin.items, stride * sizeof(uint32_t));
    memset(r->closed.items, 0, stride * sizeof(bool));
    vector_clear(&r->after);
    r->last_left = false;

    const event *first = execution_event(e, position);
    const uint32_t *column = e->clocks.items + first->thread;
    vector_at_fast(&r->closed, first->thread) = true;
    const event *events = e->events.items; /* all have room for `length` events, `stride` threads */
    uint32_t *left = r->events.items, *end = r->end.items, kept = 0;
    bool *closed = r->closed.items;
    for (uint32_t i = position + 1; i < length; i++) {
        uint32_t thread = events[i].thread;
        if (column[(size_t)i * stride] <= first->index) {
            left[kept++] = i;
            end[thread]++;
        } else if (!closed[thread]) {
            closed[thread] = true;
            vector_push(&r->after, i);
        }
    }
    r->events.count = kept;
    r->has_events = true;
    DEBUG_INVARIANT(reversal_check(r));
}

static void check_thread(const reversal *r, uint32_t thread) {
    const execution *e = r->execution;
    uint32_t begin = vector_at(&r->begin, thread), end = vector_at(&r->end, thread);
    uint32_t count = execution_thread_events(e, thread);
    bool own = thread == execution_event(e, r->position)->thread;
    CHECK(begin <= end && end <= count);
    CHECK(!own || end == begin);
    CHECK(begin == 0 || execution_position(e, thread, begin - 1) < r->position);
    CHECK(begin == count || execution_position(e, thread, begin) >= r->position);
    for (uint32_t i = begin; i < count && !own; i++) {
        uint32_t position = execution_position(e, thread, i);
        CHECK(execution_before(e, r->position, position) == (i >= end));
    }
}

void reversal_check(const reversal *r) {
    const execution *e = r->execution;
    CHECK(r->position < execution_length(e) && r->begin.count == e->stride);
    for (uint32_t t = 0; t < execution_thread_count(e); t++) {
        check_thread(r, t);
    }
    for (uint32_t i = 0; i < r->events.count; i++) {
        uint32_t position = vector_at(&r->events, i);
        CHECK(position > (i ? vector_at(&r->events, i - 1) : r->position));
        CHECK(!execution_before(e, r->position, position));
    }
    for (uint32_t i = 0; i < r->after.count; i++) {
        uint32_t position = vector_at(&r->after, i);
        const event *of = execution_event(e, position);
        CHECK(execution_before(e, r->position, position));
        CHECK(of->index == vector_at(&r->end, of->thread));
    }
}

void reversal_find_events(reversal *r) {
    uint32_t stride = r->execution->stride, count = 0, kept = 0;
    if (r->has_events) {
        return;
    }
    const event *events = r->execution->events.items;
    const uint32_t *end = r->end.items;
    for (uint32_t t = 0; t < stride; t++) {
        count += end[t];
    }
    count -= r->position; /* the rest are E' */
    vector_resize(&r->events, count);
    for (uint32_t i = r->position + 1; kept < count; i++) {
        DEBUG_CHECK(i < r->execution->events.count);
        if (events[i].index < end[events[i].thread]) {
            vector_at_fast(&r->events, kept++) = i;
        }
    }
    r->has_events = true;
}

void reversal_copy_before_last(const reversal *r, execution *to) {
    const execution *e = r->execution;
    CHECK(r->has_events && to != e);
    execution_truncate(to, 0);
    execution_reserve_threads(to, e->stride);
    for (uint32_t i = 0; i < r->position + r->events.count; i++) {
        uint32_t position = i < r->position ? i : vector_at(&r->events, i - r->position);
        const event *of = execution_event(e, position);
        operation op = execution_operation(e, position);
        execution_append(to, of->thread, of->choice, &op);
    }
}

void reversal_leave_out(reversal *r, uint32_t position) {
    const execution *e = r->execution;
    uint32_t kept = 0;
    CHECK(r->has_events && position > r->position);
    for (uint32_t i = 0; i < r->events.count; i++) {
        uint32_t other = vector_at_fast(&r->events, i);
        if (other >= position && execution_before(e, position, other)) {
            uint32_t *end = &vector_at_fast(&r->end, execution_event(e, other)->thread);
            uint32_t index = execution_event(e, other)->index;
            *end = index < *end ? index : *end;
        } else {
            vector_at_fast(&r->events, kept++) = other;
        }
    }
    r->events.count = kept;
}

#define copy_numbers(to, from)                                                    \
    do {                                                                          \
        vector_resize((to), (from)->count);                                       \
        if ((from)->count) {                                                      \
            memcpy((to)->items, (from)->items, (from)->count * sizeof(uint32_t)); \
        }                                                                         \
    } while (0)

void reversal_save(const reversal *r, saved_reversal *saved) {
    copy_numbers(&saved->events, &r->events);
    copy_numbers(&saved->end, &r->end);
}

void reversal_restore(reversal *r, const saved_reversal *saved) {
    CHECK(saved->end.count == r->end.count && saved->events.count >= r->events.count);
    copy_numbers(&r->events, &saved->events);
    copy_numbers(&r->end, &saved->end);
}

void saved_reversal_free(saved_reversal *saved) {
    vector_free(&saved->events);
    vector_free(&saved->end);
}

bool reversal_has_causes(const reversal *r, const cause *causes, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (causes[i].events > vector_at_fast(&r->end, causes[i].thread)) {
            return false;
        }
    }
    return true;
}

void reversal_set_last(reversal *r, uint32_t thread, uint32_t choice, const operation *op) {
    uint32_t stride = r->execution->stride;
    DEBUG_CHECK(thread < r->end.count && r->end.count == stride);
    DEBUG_CHECK(thread != execution_event(r->execution, r->position)->thread);
    r->last_left = true;
    r->has_last_clock = false;
    r->last_thread = thread;
    r->last_choice = choice;
    r->last_footprint = op->footprint;
    r->last_causes = op->causes;
    r->last_cause_count = op->cause_count;
    vector_resize(&r->next, stride);
    memcpy(r->next.items, r->begin.items, stride * sizeof(uint32_t));
}

static void join_position(reversal *r, uint32_t position) {
    clock_join(r->last_clock.items, execution_clock(r->execution, position), r->execution->stride);
}

/* What happens before the last step in its new place. */
static void find_last_clock(reversal *r) {
    const execution *e = r->execution;
    r->has_last_clock = true;
    vector_resize(&r->last_clock, e->stride);
    memset(r->last_clock.items, 0, e->stride * sizeof(uint32_t));
    if (vector_at_fast(&r->end, r->last_thread)) {
        join_position(
            r, execution_position(e, r->last_thread, vector_at_fast(&r->end, r->last_thread) - 1));
    }
    for (uint32_t i = 0; i < r->last_cause_count; i++) {
        cause c = r->last_causes[i];
        if (c.events) {
            join_position(r, execution_position(e, c.thread, c.events - 1));
        }
    }
    for (uint32_t i = 0; i < r->events.count; i++) {
        uint32_t position = vector_at_fast(&r->events, i);
        if (footprint_conflict(vector_at_fast(&e->events, position).footprint, r->last_footprint)) {
            join_position(r, position);
        }
    }
}

const uint32_t *reversal_last_clock(reversal *r) {
    if (!r->has_last_clock) {
        find_last_clock(r);
    }
    return r->last_clock.items;
}

/* No event before it, according to its clock, is left of v. An event's own counter exceeds what is
 * left of its thread by one, so its thread is tested separately. */
static bool unpreceded(reversal *r, const uint32_t *clock, uint32_t thread) {
    uint32_t *next = r->next.items, own = next[thread];
    next[thread] = INT32_MAX;
    bool preceded = clock_exceeds(clock, next, r->execution->stride);
    next[thread] = own;
    return !preceded;
}

static bool independent_of_left(const reversal *r, footprint f) {
    if (r->last_left && footprint_conflict(r->last_footprint, f)) {
        return false;
    }
    const event *events = r->execution->events.items;
    const uint32_t *next = r->next.items;
    for (uint32_t i = 0; i < r->events.count; i++) {
        const event *other = &events[vector_at_fast(&r->events, i)];
        if (footprint_conflict(other->footprint, f) && other->index >= next[other->thread]) {
            return false;
        }
    }
    return true;
}

enum initial reversal_initial(reversal *r, uint32_t thread, uint32_t choice, footprint f) {
    bool inside = false;
    if (vector_at_fast(&r->next, thread) < vector_at_fast(&r->end, thread)) {
        uint32_t position =
            execution_position(r->execution, thread, vector_at_fast(&r->next, thread));
        inside = execution_event(r->execution, position)->choice == choice &&
                 unpreceded(r, execution_clock(r->execution, position), thread);
    } else if (r->last_left && r->last_thread == thread) {
        inside = r->last_choice == choice && unpreceded(r, reversal_last_clock(r), thread);
    } else {
        return independent_of_left(r, f) ? INITIAL_OUTSIDE : INITIAL_NOT;
    }
    return inside ? INITIAL_INSIDE : INITIAL_NOT;
}

void reversal_remove(reversal *r, uint32_t thread) {
    if (vector_at_fast(&r->next, thread) < vector_at_fast(&r->end, thread)) {
        vector_at_fast(&r->next, thread)++;
    } else {
        CHECK(r->last_left && r->last_thread == thread);
        r->last_left = false;
    }
}

bool reversal_left(const reversal *r, uint32_t *at, uint32_t *position) {
    for (; *at < r->events.count; ++*at) {
        *position = vector_at_fast(&r->events, *at);
        const event *e = execution_event(r->execution, *position);
        if (e->index >= vector_at_fast(&r->next, e->thread)) {
            ++*at;
            return true;
        }
    }
    *position = POSITION_NONE;
    return r->last_left && (*at)++ == r->events.count;
}
