#include "bench/recording.h"

enum { NO_CHOICE = 0xffff, CHOICE_SHIFT = 16 };

void recording_free(recording *r) {
    vector_free(&r->steps);
    vector_free(&r->lengths);
}

void recording_clear(recording *r) {
    vector_clear(&r->steps);
    vector_clear(&r->lengths);
    r->full = false;
}

static bool fits(const event *e) {
    return e->thread < NO_CHOICE && (e->choice == CHOICE_NONE || e->choice < NO_CHOICE);
}

void recording_add(recording *r, const execution *e) {
    uint32_t length = execution_length(e), before = r->steps.count;
    if (r->full || before + length > RECORDING_MOST_STEPS) {
        r->full = true;
        return;
    }
    for (uint32_t i = 0; i < length; i++) {
        const event *of = execution_event(e, i);
        if (!fits(of)) {
            r->full = true;
            r->steps.count = before;
            return;
        }
        uint32_t choice = of->choice == CHOICE_NONE ? (uint32_t)NO_CHOICE : of->choice;
        vector_push(&r->steps, of->thread | choice << CHOICE_SHIFT);
    }
    vector_push(&r->lengths, length);
}

static inline uint32_t step_thread(uint32_t step) {
    return step & NO_CHOICE;
}

static inline uint32_t step_choice(uint32_t step) {
    uint32_t choice = step >> CHOICE_SHIFT;
    return choice == NO_CHOICE ? CHOICE_NONE : choice;
}

void recording_replay(const recording *r, target *t) {
    void (*reset)(target *) = t->class->reset;
    void (*take)(target *, uint32_t, uint32_t, step_result *) = t->class->step;
    const uint32_t *step = r->steps.items;
    step_result result;
    for (uint32_t i = 0; i < r->lengths.count; i++) {
        reset(t);
        for (const uint32_t *end = step + r->lengths.items[i]; step < end; step++) {
            take(t, step_thread(*step), step_choice(*step), &result);
        }
    }
}

void recording_explore(const recording *r, target *t, execution *e) {
    step_result result;
    t->class->reset(t);
    for (uint32_t i = 0; i < r->lengths.items[0]; i++) {
        uint32_t thread = step_thread(r->steps.items[i]), choice = step_choice(r->steps.items[i]);
        execution_append(e, thread, choice, t->class->pending(t, thread));
        t->class->step(t, thread, choice, &result);
    }
    execution_truncate(e, 0);
}
