/* Happens-before by definition, and the sequences of ISSTA 2019. */
#include "dpor/published/published.h"

#include <string.h>

/* The event at place a comes directly before the one at the later place b. */
static bool is_ordered(const published *p, const uint32_t *sequence, uint32_t count, uint32_t a,
                       uint32_t b) {
    const event *first = published_event(p, sequence[a]), *second = published_event(p, sequence[b]);
    operation op = execution_operation(search_execution(&p->search), sequence[b]);
    if (first->thread == second->thread) {
        return true;
    }
    for (uint32_t i = 0; i < op.cause_count; i++) {
        if (op.causes[i].thread == first->thread && op.causes[i].events > first->index) {
            return true;
        }
    }
    const published_rule *rule = (const published_rule *)p->search.rule;
    return rule->is_ordered(p, sequence, count, a, b);
}

static bool *row(published *p, uint32_t position) {
    return p->before.items + (size_t)position * execution_length(search_execution(&p->search));
}

bool published_happens_before(const published *p, uint32_t a, uint32_t b) {
    DEBUG_CHECK(a < execution_length(search_execution(&p->search)));
    return vector_at(&p->before, (size_t)b * execution_length(search_execution(&p->search)) + a);
}

/* The closure for E itself. */
void published_compute_order(published *p) {
    uint32_t n = execution_length(search_execution(&p->search));
    positions all = {0};
    for (uint32_t i = 0; i < n; i++) {
        vector_push(&all, i);
    }
    vector_resize(&p->before, n * n + 1);
    memset(p->before.items, 0, (size_t)n * n);
    for (uint32_t b = 0; b < n; b++) {
        for (uint32_t a = b; a-- > 0;) {
            if (!row(p, b)[a] && is_ordered(p, all.items, n, a, b)) {
                row(p, b)[a] = true;
                for (uint32_t i = 0; i < a; i++) {
                    row(p, b)[i] |= row(p, a)[i];
                }
            }
        }
    }
    vector_free(&all);
}

/* ance(e,e',E). */
void published_add_ancestors(published *p, uint32_t e, uint32_t second) {
    CHECK(e < second && second < execution_length(search_execution(&p->search)));
    for (uint32_t i = e + 1; i < second; i++) {
        if (published_happens_before(p, i, second) && !published_happens_before(p, e, i)) {
            vector_push(&p->v, i);
        }
    }
}

void published_add_up_to(const published *p, uint32_t last, positions *to) {
    for (uint32_t i = 0; i < p->v.count; i++) {
        if (vector_at(&p->v, i) <= last) {
            vector_push(to, vector_at(&p->v, i));
        }
    }
}

static bool has_thread(const published *p, const positions *s, uint32_t count, uint32_t position) {
    for (uint32_t i = 0; i < count; i++) {
        if (published_event(p, vector_at(s, i))->thread == published_event(p, position)->thread) {
            return true;
        }
    }
    return false;
}

/* v := v.I_fut(E',v,E). */
void published_add_future_initials(published *p, uint32_t e) {
    uint32_t n = execution_length(search_execution(&p->search)), planned = p->v.count;
    vector_assign(&p->rest, p->v.items, planned);
    for (uint32_t i = e; i < n; i++) {
        if (!vector_contains(&p->v, i)) {
            vector_push(&p->rest, i);
        }
    }
    for (uint32_t b = planned; b < p->rest.count; b++) {
        bool initial = !has_thread(p, &p->v, p->v.count, vector_at(&p->rest, b));
        for (uint32_t a = 0; a < b && initial; a++) {
            initial = !is_ordered(p, p->rest.items, p->rest.count, a, b);
        }
        if (initial) {
            vector_push(&p->v, vector_at(&p->rest, b));
        }
    }
}

void published_make_plan(const published *p, const positions *v, step_sequence *plan) {
    vector_clear(plan);
    for (uint32_t i = 0; i < v->count; i++) {
        vector_push(plan, sequence_step_of(published_event(p, vector_at(v, i))));
    }
}

bool published_is_race(const published *p, uint32_t e, uint32_t second) {
    const event *a = published_event(p, e), *b = published_event(p, second);
    if (a->thread == b->thread || !published_happens_before(p, e, second) ||
        !footprint_conflict(a->footprint, b->footprint) ||
        (b->flags & OPERATION_ACQUIRES && !a->acquired)) {
        return false;
    }
    for (uint32_t i = e + 1; i < second; i++) {
        if (published_happens_before(p, e, i) && published_happens_before(p, i, second)) {
            return false;
        }
    }
    return true;
}
