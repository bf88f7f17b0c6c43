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

/* All executions, each from the initial state. */
static void run_all(const recording *r, target *t,
                    void (*run)(target *, const step *, uint32_t count)) {
    const step *next = r->steps.items;
    for (uint32_t i = 0; i < r->lengths.count; i++) {
        t->class->reset(t);
        run(t, next, vector_at(&r->lengths, i));
        next += vector_at(&r->lengths, i);
    }
}

static void take_steps(target *t, const step *steps, uint32_t count) {
    static const step_hooks hooks = {.next = step_range_next};
    target_run(t, &hooks, &(step_range){steps, steps + count});
}

void recording_step(const recording *r, target *t) {
    run_all(r, t, take_steps);
}

void recording_replay(const recording *r, target *t) {
    run_all(r, t, target_replay);
}

static uint32_t common_length(const step *a, uint32_t a_count, const step *b, uint32_t b_count) {
    uint32_t most = a_count < b_count ? a_count : b_count, i = 0;
    while (i < most && a[i].thread == b[i].thread && a[i].choice == b[i].choice) {
        i++;
    }
    return i;
}

void recording_go_back(const recording *r, target *t) {
    const step *last = NULL, *next = r->steps.items;
    uint32_t last_count = 0;
    t->class->reset(t);
    for (uint32_t i = 0; i < r->lengths.count; i++) {
        uint32_t count = vector_at(&r->lengths, i);
        uint32_t common = common_length(last, last_count, next, count);
        uint32_t from = t->class->back(t, common);
        target_replay(t, next + from, common - from); /* where it lands it can go back to */
        target_replay(t, next + common, count - common);
        last = next;
        last_count = count;
        next += count;
    }
}

typedef struct exploring {
    step_range steps; /* first */
    target *target;
    execution *execution;
} exploring;

static bool append_event(void *context, step next) {
    const exploring *x = context;
    execution_append(x->execution, next.thread, next.choice,
                     x->target->class->pending(x->target, next.thread));
    return true;
}

void recording_explore(const recording *r, target *t, execution *e) {
    static const step_hooks hooks = {.next = step_range_next, .before = append_event};
    const step *steps = r->steps.items;
    t->class->reset(t);
    target_run(t, &hooks, &(exploring){{steps, steps + vector_at(&r->lengths, 0)}, t, e});
    execution_truncate(e, 0);
}
