#include "report/first_run.h"

#include "report/chains.h"

/* Takes the step, if it is possible; where reads now have a choice, with the latest write. */
static void take(trace *t, step next) {
    const operation *pending;
    text why = {0};
    if (target_find_obstacle(t->target, next, &pending) == STEP_WITHOUT_CHOICE) {
        pending = t->target->class->pending(t->target, next.thread);
        next.choice = operation_choice(pending, 0);
    }
    trace_take(t, next, &why);
    text_free(&why);
}

static void follow(trace *t, target *target, const step_list *steps) {
    trace_init(t, target, ACCESSES_ARE_STEPS);
    t->wordless = true;
    for (uint32_t i = 0; i < steps->count; i++) {
        take(t, vector_at(steps, i));
    }
}

static bool is_pause(const trace *t, uint32_t number) {
    return operation_has_role(vector_at(&t->steps, number).kind, ROLE_YIELDS);
}

/* What happens before each step: in every thread, the last such step. */
static void gather(const trace *t, chain_steps *chains) {
    const execution *e = &t->execution;
    for (uint32_t i = 0; i < t->steps.count; i++) {
        const event *own = execution_event(e, i);
        const uint32_t *clock = execution_clock(e, i);
        chain_step made = {.thread = own->thread};
        for (uint32_t thread = 0; thread < execution_thread_count(e); thread++) {
            uint32_t known = clock[thread] - (thread == own->thread);
            if (known) {
                vector_push(&made.before, execution_position(e, thread, known - 1));
            }
        }
        vector_push(chains, made);
    }
}

void first_run_adapt(target *target, step_list *steps) {
    trace t;
    chain_steps chains = {0};
    step_numbers order = {0};
    follow(&t, target, steps);
    gather(&t, &chains);
    if (chains.count) {
        chains_want(&chains, chains.count - 1);
        chains_order(&chains, true, &order);
    }
    vector_clear(steps);
    for (uint32_t i = 0; i < order.count; i++) {
        uint32_t number = vector_at(&order, i);
        if (!is_pause(&t, number)) {
            vector_push(steps, vector_at(&t.steps, number).step);
        }
    }
    chains_free(&chains);
    vector_free(&order);
    trace_free(&t);
}
