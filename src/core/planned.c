#include "core/planned.h"

#include <string.h>

void planned_free(planned *p) {
    vector_free(&p->steps);
    vector_free(&p->clocks);
}

void planned_copy(planned *p, const planned *from) {
    p->stride = from->stride;
    vector_clear(&p->steps);
    vector_clear(&p->clocks);
    for (uint32_t i = 0; i < from->steps.count; i++) {
        vector_push(&p->steps, from->steps.items[i]);
    }
    for (uint32_t i = 0; i < from->clocks.count; i++) {
        vector_push(&p->clocks, from->clocks.items[i]);
    }
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
        if (position == POSITION_NONE) {
            planned_step last = {r->last_thread, r->last_choice, r->last_footprint,
                                 r->end.items[r->last_thread], false};
            add(p, last, reversal_last_clock(r));
        } else {
            const event *of = execution_event(e, position);
            add(p, (planned_step){of->thread, of->choice, of->footprint, of->index, false},
                execution_clock(e, position));
        }
    }
}

/* Something before the step is left. */
static bool is_preceded(const planned *p, uint32_t at) {
    const uint32_t *clock = p->clocks.items + (size_t)at * p->stride;
    for (uint32_t i = 0; i < at; i++) {
        const planned_step *s = &p->steps.items[i];
        if (!s->consumed && clock[s->thread] > s->index) {
            return true;
        }
    }
    return false;
}

enum initial planned_initial(const planned *p, uint32_t thread, uint32_t choice, footprint f) {
    bool independent = true;
    for (uint32_t i = 0; i < p->steps.count; i++) {
        const planned_step *s = &p->steps.items[i];
        if (s->consumed) {
            continue;
        }
        if (s->thread == thread) {
            return s->choice == choice && !is_preceded(p, i) ? INITIAL_INSIDE : INITIAL_NOT;
        }
        independent = independent && !footprint_conflict(s->footprint, f);
    }
    return independent ? INITIAL_OUTSIDE : INITIAL_NOT;
}

bool planned_consume(planned *p, uint32_t thread) {
    for (uint32_t i = 0; i < p->steps.count; i++) {
        planned_step *s = &p->steps.items[i];
        if (!s->consumed && s->thread == thread) {
            return s->consumed = true;
        }
    }
    return false;
}

void planned_compact(planned *p) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p->steps.count; i++) {
        if (!p->steps.items[i].consumed) {
            p->steps.items[kept] = p->steps.items[i];
            if (p->clocks.count) {
                memmove(p->clocks.items + (size_t)kept * p->stride,
                        p->clocks.items + (size_t)i * p->stride, p->stride * sizeof(uint32_t));
            }
            kept++;
        }
    }
    p->steps.count = kept;
    p->clocks.count = p->clocks.count ? kept * p->stride : 0;
}
