#include "dpor/observers/observed_check.h"

#ifdef HEDDLE_DEBUG

#include "dpor/observed.h"

#define ANSWERS_MOST 3000 /* of one exploration */

typedef struct done_step {
    uint32_t length; /* of the prefix */
    step step;
} done_step;

typedef struct answer {
    uint32_t length;
    bool yes;
    bool about_child;
    done_step child;
    uint32_t first_step, step_count;
} answer;

struct observed_check {
    VECTOR(done_step) done; /* by length */
    VECTOR(answer) answers; /* about the current execution */
    VECTOR(step) steps;
    uint32_t checked;
    execution run; /* E' and the sequence */
    observed_order order;
};

observed_check *observed_check_new(void) {
    observed_check *c = memory_resize(NULL, 0, sizeof *c);
    execution_init(&c->run);
    return c;
}

void observed_check_free(observed_check *c) {
    vector_free(&c->done);
    vector_free(&c->answers);
    vector_free(&c->steps);
    execution_free(&c->run);
    observed_order_free(&c->order);
    memory_resize(c, sizeof *c, 0);
}

void observed_check_done(observed_check *c, uint32_t length, step done) {
    while (c->done.count && vector_last(&c->done).length > length) {
        (void)vector_pop(&c->done);
    }
    vector_push(&c->done, (done_step){length, done});
}

void observed_check_redundant(observed_check *c, uint32_t length, bool redundant) {
    vector_push(&c->answers,
                (answer){.length = length, .yes = redundant, .first_step = c->steps.count});
}

void observed_check_child(observed_check *c, uint32_t length, uint32_t path_count, step child,
                          bool yes) {
    vector_push(&c->answers, (answer){.length = length,
                                      .yes = yes,
                                      .about_child = true,
                                      .child = {length + path_count, child},
                                      .first_step = c->steps.count});
}

void observed_check_step(observed_check *c, step next) {
    vector_push(&c->steps, next);
    vector_last(&c->answers).step_count++;
}

/* Takes the step that the thread has pending after E' and the first steps of the sequence. */
static bool append_step(observed_check *c, exploration *x, const answer *a, uint32_t count,
                        step next) {
    const operation *op =
        exploration_probe(x, a->length, &vector_at(&c->steps, a->first_step), count, next.thread);
    if (!op || !operation_enabled(op) || !operation_has_alternative(op, next.choice)) {
        return false;
    }
    execution_append(&c->run, next.thread, next.choice, op);
    return true;
}

/* A step of a spin loop is blocked where it would only repeat the loop: whether it can be taken
 * depends on more than its past, and the definitions do not cover that. */
static bool has_spins(const exploration *x) {
    return x->target->spins || x->target->stale;
}

/* c->run becomes E' and the sequence. */
static void run(observed_check *c, exploration *x, const answer *a) {
    execution_truncate(&c->run, 0);
    execution_reserve_threads(&c->run, execution_thread_count(&x->execution));
    for (uint32_t i = 0; i < a->length; i++) {
        const event *of = execution_event(&x->execution, i);
        operation op = execution_operation(&x->execution, i);
        execution_append(&c->run, of->thread, of->choice, &op);
    }
    for (uint32_t i = 0; i < a->step_count; i++) {
        bool taken = append_step(c, x, a, i, vector_at(&c->steps, a->first_step + i));
        CHECK(taken || has_spins(x));
    }
}

/* No event from `from` on happens before the one at `position`. */
static bool is_unpreceded(observed_check *c, uint32_t from, uint32_t position) {
    observed_order_compute(&c->order, &c->run, 0);
    for (uint32_t i = from; i < position; i++) {
        if (observed_before(&c->order, &c->run, i, position)) {
            return false;
        }
    }
    return true;
}

/* p, explored after w, is a weak initial of what follows w in c->run. */
static bool is_weak_initial(observed_check *c, exploration *x, const answer *a,
                            const done_step *p) {
    uint32_t length = execution_length(&c->run);
    for (uint32_t i = p->length; i < length; i++) {
        const event *e = execution_event(&c->run, i);
        if (e->thread == p->step.thread) {
            return e->choice == p->step.choice && is_unpreceded(c, p->length, i);
        }
    }
    if (!append_step(c, x, a, a->step_count, p->step)) {
        return false;
    }
    bool unpreceded = is_unpreceded(c, p->length, length);
    execution_truncate(&c->run, length);
    return unpreceded;
}

/* The right answer. */
static bool find_answer(observed_check *c, exploration *x, const answer *a) {
    run(c, x, a);
    if (a->about_child) {
        return is_weak_initial(c, x, a, &a->child);
    }
    for (uint32_t i = 0; i < c->done.count && vector_at(&c->done, i).length <= a->length; i++) {
        if (is_weak_initial(c, x, a, &vector_at(&c->done, i))) {
            return true;
        }
    }
    return false;
}

void observed_check_all(observed_check *c, exploration *x) {
    uint32_t count = has_spins(x) ? 0 : c->answers.count;
    for (uint32_t i = 0; i < count && c->checked < ANSWERS_MOST; i++, c->checked++) {
        const answer *a = &vector_at(&c->answers, i);
        bool yes = find_answer(c, x, a);
        CHECK(a->yes == yes || has_spins(x));
    }
    vector_clear(&c->answers);
    vector_clear(&c->steps);
}

#endif
