#include "core/planned.h"

#include <string.h>

void planned_free(planned *p) {
    vector_free(&p->steps);
    vector_free(&p->clocks);
}

void planned_copy(planned *p, const planned *from) {
    p->stride = from->stride;
    vector_resize(&p->steps, from->steps.count);
    vector_resize(&p->clocks, from->clocks.count);
    memcpy(p->steps.items, from->steps.items, from->steps.count * sizeof *p->steps.items);
    memcpy(p->clocks.items, from->clocks.items, from->clocks.count * sizeof *p->clocks.items);
}

static void add(planned *p, planned_step step, const uint32_t *clock) {
    uint32_t at = p->clocks.count;
    vector_push(&p->steps, step);
    vector_resize(&p->clocks, at + p->stride);
    memcpy(p->clocks.items + at, clock, p->stride * sizeof *clock);
}

void planned_take(planned *p, reversal *r) {
    const execution *e = r->execution;
    uint32_t at = 0, position;
    vector_clear(&p->steps);
    vector_clear(&p->clocks);
    p->stride = e->stride;
    while (reversal_left(r, &at, &position)) {
        planned_step step = {r->last_thread, r->end.items[r->last_thread], r->last_choice,
                             PLANNED_LEFT, r->last_footprint};
        if (position == POSITION_NONE) {
            add(p, step, reversal_last_clock(r));
        } else {
            const event *of = execution_event(e, position);
            step = (planned_step){of->thread, of->index, of->choice, PLANNED_LEFT, of->footprint};
            add(p, step, execution_clock(e, position));
        }
    }
}

/* Something before the step is left. */
static bool is_preceded(const planned *p, uint32_t at) {
    const uint32_t *clock = p->clocks.items + (size_t)at * p->stride;
    for (uint32_t i = 0; i < at; i++) {
        const planned_step *s = &p->steps.items[i];
        if (s->consumed == PLANNED_LEFT && clock[s->thread] > s->index) {
            return true;
        }
    }
    return false;
}

enum initial planned_initial(const planned *p, uint32_t thread, uint32_t choice, footprint f,
                             uint32_t *at) {
    bool independent = true;
    for (uint32_t i = 0; i < p->steps.count; i++) {
        const planned_step *s = &p->steps.items[i];
        if (s->consumed != PLANNED_LEFT) {
            continue;
        }
        if (s->thread == thread) {
            *at = i;
            return s->choice == choice && !is_preceded(p, i) ? INITIAL_INSIDE : INITIAL_NOT;
        }
        independent = independent && !footprint_conflict(s->footprint, f);
    }
    return independent ? INITIAL_OUTSIDE : INITIAL_NOT;
}

void planned_restore(planned *p, uint32_t length) {
    for (uint32_t i = 0; i < p->steps.count; i++) {
        planned_step *s = &p->steps.items[i];
        if (s->consumed != PLANNED_LEFT && s->consumed >= length) {
            s->consumed = PLANNED_LEFT;
        }
    }
}
