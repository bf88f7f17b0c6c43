/* Steps of mutexes and conditions. */
#include "targets/abstract/interpreter_race.h"
#include "targets/abstract/interpreter_state.h"

static void wake(interpreter *m, uint32_t waiter, uint32_t t) {
    thread_state *thread = &m->threads[waiter];
    CHECK(thread->phase == WAIT_QUEUED || thread->phase == WAIT_SLEEPS);
    bool asleep = thread->phase == WAIT_SLEEPS;
    thread->condition = 0;
    thread->waker = (cause){t, m->threads[t].events};
    if (asleep) {
        thread->phase = WAIT_WOKEN;
        model_arrive(m, waiter);
    }
}

static void broadcast(interpreter *m, uint32_t t) {
    uint32_t condition = m->threads[t].cell;
    for (uint32_t other = 0; other < m->program->threads.count; other++) {
        if (m->threads[other].condition == condition + 1) {
            wake(m, other, t);
        }
    }
}

static bool is_mutex(const interpreter *m, uint32_t cell) {
    return vector_at(&m->program->cells, cell).kind == CELL_MUTEX;
}

/* The cell of a mutex or a condition was destroyed: whatever the thread wants of it is an error. */
static bool is_destroyed(interpreter *m, uint32_t t, uint32_t cell) {
    if (m->cells[cell] != CELL_DESTROYED) {
        return false;
    }
    model_fail(m, t, ERROR_MISUSE,
               is_mutex(m, cell) ? "use of a mutex that was destroyed"
                                 : "use of a condition that was destroyed");
    return true;
}

static bool is_waited_for(const interpreter *m, uint32_t condition) {
    for (uint32_t t = 0; t < m->program->threads.count; t++) {
        if (m->threads[t].status == THREAD_RUNS && m->threads[t].condition == condition + 1) {
            return true;
        }
    }
    return false;
}

/* Initialisation and destruction; true if the thread continues after it. */
static bool change(interpreter *m, uint32_t t, enum operation_kind kind) {
    uint32_t cell = m->threads[t].cell;
    bool mutex = is_mutex(m, cell);
    bool in_use = mutex ? !model_is_free(m, cell) : is_waited_for(m, cell);
    if (in_use) {
        model_fail(m, t, ERROR_MISUSE,
                   mutex ? kind == OPERATION_INIT ? "initialisation of a mutex that is locked"
                                                  : "destruction of a mutex that is locked"
                   : kind == OPERATION_INIT ? "initialisation of a condition that is waited for"
                                            : "destruction of a condition that is waited for");
        return false;
    }
    if (kind == OPERATION_DESTROY && is_destroyed(m, t, cell)) {
        return false;
    }
    m->cells[cell] = kind == OPERATION_INIT ? 0 : CELL_DESTROYED;
    return true;
}

static void take_mutex(interpreter *m, uint32_t t, uint32_t mutex) {
    m->cells[mutex] = (int64_t)t + 1;
    if (m->races) {
        m->detector->acquire(m, t, mutex);
    }
}

static void give_mutex(interpreter *m, uint32_t t, uint32_t mutex) {
    m->cells[mutex] = 0;
    if (m->races) {
        m->detector->release(m, t, mutex);
    }
}

/* The steps of a wait; true if the whole wait is over. */
static bool step_wait(interpreter *m, uint32_t t, enum operation_kind kind, const instruction *in) {
    thread_state *thread = &m->threads[t];
    switch (kind) {
        case OPERATION_WAIT:
            if (!model_owns(m, t, thread->mutex)) {
                model_fail(m, t, ERROR_MISUSE, "wait with a mutex that the thread does not hold");
                return false;
            }
            if (is_destroyed(m, t, thread->cell)) {
                return false;
            }
            thread->condition = thread->cell + 1;
            thread->phase = WAIT_QUEUED;
            return false;
        case OPERATION_WAIT_UNLOCK:
            give_mutex(m, t, thread->mutex);
            thread->phase = thread->condition ? WAIT_SLEEPS : WAIT_WOKEN;
            return false;
        case OPERATION_TIMEOUT:
            thread->condition = 0;
            thread->phase = WAIT_TIMED_OUT;
            return false;
        default:
            if (is_destroyed(m, t, thread->mutex)) {
                return false;
            }
            take_mutex(m, t, thread->mutex);
            if (in->kind == INSTRUCTION_TIMED_WAIT) {
                model_set_result(m, t, in, thread->phase == WAIT_TIMED_OUT);
            }
            thread->phase = WAIT_NOT;
            return true;
    }
}

/* The effect of a step of a condition; true if the thread continues after the instruction. */
static bool take_condition(interpreter *m, uint32_t t, uint32_t choice, step_result *result) {
    const thread_state *thread = &m->threads[t];
    enum operation_kind kind = thread->operation.kind;
    switch (kind) {
        case OPERATION_WAIT:
        case OPERATION_WAIT_UNLOCK:
        case OPERATION_TIMEOUT:
        case OPERATION_RELOCK:
            result->acquired = kind == OPERATION_RELOCK;
            return step_wait(m, t, kind, model_current(m, t));
        case OPERATION_SIGNAL:
            if (is_destroyed(m, t, thread->cell)) {
                return false;
            }
            if (choice != CHOICE_NONE) {
                wake(m, choice, t);
            }
            return true;
        case OPERATION_BROADCAST:
            if (is_destroyed(m, t, thread->cell)) {
                return false;
            }
            broadcast(m, t);
            return true;
        default: CHECK(!"operation of the model"); return false;
    }
}

bool model_take_lock(interpreter *m, uint32_t t, uint32_t choice, step_result *result) {
    const thread_state *thread = &m->threads[t];
    enum operation_kind kind = thread->operation.kind;
    switch (kind) {
        case OPERATION_LOCK:
            result->acquired = true;
            if (is_destroyed(m, t, thread->cell)) {
                return false;
            }
            take_mutex(m, t, thread->cell);
            return true;
        case OPERATION_INIT:
        case OPERATION_DESTROY:
            result->acquired = is_mutex(m, thread->cell) && model_is_free(m, thread->cell);
            return change(m, t, kind);
        case OPERATION_UNLOCK:
            if (!model_owns(m, t, thread->cell)) {
                result->acquired = model_is_free(m, thread->cell);
                model_fail(m, t, ERROR_MISUSE, "unlock of a mutex that the thread does not hold");
                return false;
            }
            give_mutex(m, t, thread->cell);
            return true;
        case OPERATION_TRYLOCK:
            result->acquired = model_is_free(m, thread->cell);
            if (is_destroyed(m, t, thread->cell)) {
                return false;
            }
            if (result->acquired) {
                take_mutex(m, t, thread->cell);
            }
            result->value = result->acquired;
            model_set_result(m, t, model_current(m, t), result->acquired);
            return true;
        default: return take_condition(m, t, choice, result);
    }
}
