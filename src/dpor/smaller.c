#include "dpor/smaller.h"

typedef struct visit {
    reversal *reversal;
    uint32_t thread;
    footprint footprint;
    smaller_try *try;
    void *context;
} visit;

static bool conflicts(const visit *v, uint32_t position) {
    const event *of = execution_event(v->reversal->execution, position);
    return footprint_conflict(of->footprint, v->footprint);
}

/* No other event left that it conflicts with happens after this one, number i of them. */
static bool is_last(const visit *v, uint32_t i) {
    const reversal *r = v->reversal;
    uint32_t position = vector_at(&r->events, i);
    while (++i < r->events.count) {
        uint32_t later = vector_at(&r->events, i);
        if (conflicts(v, later) && execution_before(r->execution, position, later)) {
            return false;
        }
    }
    return true;
}

/* Leaves out one event before `below` each time: the latest first, so that no place is visited
 * twice. */
static void leave_out_one(const visit *v, uint32_t below) {
    reversal *r = v->reversal;
    saved_reversal whole = {0};
    reversal_save(r, &whole);
    for (uint32_t i = whole.events.count; i-- > 0;) {
        uint32_t position = vector_at(&whole.events, i);
        if (position >= below || !conflicts(v, position) || !is_last(v, i)) {
            continue;
        }
        reversal_leave_out(r, position);
        CHECK(r->events.count < whole.events.count);
        bool same = vector_at(&r->end, v->thread) == vector_at(&whole.end, v->thread);
        if (same && !v->try(v->context)) {
            leave_out_one(v, position);
        }
        reversal_restore(r, &whole);
    }
    saved_reversal_free(&whole);
}

void smaller_visit(reversal *r, uint32_t thread, footprint f, smaller_try *try, void *context) {
    CHECK(thread < r->end.count && f != FOOTPRINT_EMPTY);
    reversal_find_events(r);
    leave_out_one(&(visit){r, thread, f, try, context}, POSITION_NONE);
}
