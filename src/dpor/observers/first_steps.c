#include "dpor/observers/first_steps.h"

static const event *event_of(const execution *e, uint32_t thread, uint32_t index) {
    return execution_event(e, execution_position(e, thread, index));
}

static void keep(first_steps *f, const execution *e) {
    for (uint32_t t = 0; t < execution_thread_count(e); t++) {
        first_step_list steps = {0};
        for (uint32_t i = 0; i < execution_thread_events(e, t); i++) {
            const event *of = event_of(e, t, i);
            vector_push(&steps, (first_step){of->footprint, of->kind});
        }
        vector_push(&f->threads, steps);
    }
}

static bool is_same(const first_step_list *steps, const execution *e, uint32_t thread) {
    bool same = steps->count == execution_thread_events(e, thread);
    for (uint32_t i = 0; i < steps->count && same; i++) {
        const event *of = event_of(e, thread, i);
        const first_step *s = &vector_at(steps, i);
        same = of->kind == s->kind && of->footprint == s->footprint;
    }
    return same;
}

bool first_steps_same(first_steps *f, const execution *e) {
    if (!f->threads.count) {
        keep(f, e);
        CHECK(f->threads.count == execution_thread_count(e));
    }
    bool same = f->threads.count == execution_thread_count(e);
    for (uint32_t t = 0; t < f->threads.count && same; t++) {
        same = is_same(&vector_at(&f->threads, t), e, t);
    }
    return same;
}

void first_steps_free(first_steps *f) {
    for (uint32_t t = 0; t < f->threads.count; t++) {
        vector_free(&vector_at(&f->threads, t));
    }
    vector_free(&f->threads);
}
