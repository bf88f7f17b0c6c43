#include "bench/recording.h"

void recording_free(recording *r) {
    vector_free(&r->steps);
    vector_free(&r->lengths);
}

void recording_clear(recording *r) {
    vector_clear(&r->steps);
    vector_clear(&r->lengths);
    r->full = false;
}

void recording_add(recording *r, const execution *e) {
    uint32_t length = execution_length(e);
    if (r->full || r->steps.count + length > RECORDING_MOST_STEPS) {
        r->full = true;
        return;
    }
    for (uint32_t i = 0; i < length; i++) {
        const event *of = execution_event(e, i);
        vector_push(&r->steps, (step){of->thread, of->choice});
    }
    vector_push(&r->lengths, length);
}

void recording_step(const recording *r, target *t) {
    void (*take)(target *, uint32_t, uint32_t, step_result *) = t->class->step;
    const step *next = r->steps.items;
    step_result result;
    for (uint32_t i = 0; i < r->lengths.count; i++) {
        t->class->reset(t);
        for (const step *end = next + vector_at(&r->lengths, i); next < end; next++) {
            take(t, next->thread, next->choice, &result);
        }
    }
}

void recording_replay(const recording *r, target *t) {
    if (!t->class->replay) {
        recording_step(r, t);
        return;
    }
    const step *next = r->steps.items;
    for (uint32_t i = 0; i < r->lengths.count; i++) {
        t->class->reset(t);
        t->class->replay(t, next, vector_at(&r->lengths, i));
        next += vector_at(&r->lengths, i);
    }
}

void recording_explore(const recording *r, target *t, execution *e) {
    step_result result;
    t->class->reset(t);
    for (uint32_t i = 0; i < vector_at(&r->lengths, 0); i++) {
        step next = vector_at(&r->steps, i);
        execution_append(e, next.thread, next.choice, t->class->pending(t, next.thread));
        t->class->step(t, next.thread, next.choice, &result);
    }
    execution_truncate(e, 0);
}
