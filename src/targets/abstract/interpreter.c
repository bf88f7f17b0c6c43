#include "targets/abstract/interpreter.h"

#include <stdio.h>
#include <string.h>

#include "targets/abstract/interpreter_race.h"

/* ---- pending operations ---- */

static enum operation_kind pending_kind(const thread_state *thread, const instruction *in) {
    switch (in->kind) {
        case INSTRUCTION_READ: return OPERATION_READ;
        case INSTRUCTION_FILL:
        case INSTRUCTION_COPY:
        case INSTRUCTION_WRITE: return OPERATION_WRITE;
        case INSTRUCTION_ADD: return OPERATION_ADD;
        case INSTRUCTION_EXCHANGE: return OPERATION_EXCHANGE;
        case INSTRUCTION_CAS: return OPERATION_CAS;
        case INSTRUCTION_AWAIT: return OPERATION_AWAIT;
        case INSTRUCTION_LOCK: return OPERATION_LOCK;
        case INSTRUCTION_UNLOCK: return OPERATION_UNLOCK;
        case INSTRUCTION_TRYLOCK: return OPERATION_TRYLOCK;
        case INSTRUCTION_INIT: return OPERATION_INIT;
        case INSTRUCTION_DESTROY: return OPERATION_DESTROY;
        case INSTRUCTION_SIGNAL: return OPERATION_SIGNAL;
        case INSTRUCTION_BROADCAST: return OPERATION_BROADCAST;
        case INSTRUCTION_SEMAPHORE_WAIT: return OPERATION_SEMAPHORE_WAIT;
        case INSTRUCTION_SEMAPHORE_TRY: return OPERATION_SEMAPHORE_TRY;
        case INSTRUCTION_POST: return OPERATION_POST;
        case INSTRUCTION_READ_LOCK: return OPERATION_READ_LOCK;
        case INSTRUCTION_WRITE_LOCK: return OPERATION_WRITE_LOCK;
        case INSTRUCTION_TRY_READ_LOCK: return OPERATION_TRY_READ_LOCK;
        case INSTRUCTION_TRY_WRITE_LOCK: return OPERATION_TRY_WRITE_LOCK;
        case INSTRUCTION_RELEASE: return OPERATION_UNLOCK;
        case INSTRUCTION_BARRIER:
            return thread->phase == WAIT_NOT ? OPERATION_ARRIVE : OPERATION_LEAVE;
        case INSTRUCTION_ONCE: return OPERATION_ONCE;
        case INSTRUCTION_ONCE_END: return OPERATION_ONCE_END;
        case INSTRUCTION_CHOOSE: return OPERATION_CHOOSE;
        case INSTRUCTION_SPAWN: return OPERATION_SPAWN;
        case INSTRUCTION_JOIN: return OPERATION_JOIN;
        case INSTRUCTION_SEND: return OPERATION_SEND;
        case INSTRUCTION_RECEIVE:
        case INSTRUCTION_POLL: return OPERATION_RECEIVE;
        case INSTRUCTION_ATOMIC_BEGIN: return OPERATION_ATOMIC;
        case INSTRUCTION_WAIT:
        case INSTRUCTION_TIMED_WAIT:
            switch ((enum wait_phase)thread->phase) {
                case WAIT_NOT: return OPERATION_WAIT;
                case WAIT_QUEUED: return OPERATION_WAIT_UNLOCK;
                case WAIT_SLEEPS:
                    return in->kind == INSTRUCTION_WAIT ? OPERATION_RELOCK : OPERATION_TIMEOUT;
                case WAIT_WOKEN:
                case WAIT_TIMED_OUT: return OPERATION_RELOCK;
                case WAIT_ARRIVED:
                case WAIT_RELEASED: break;
            }
            break;
        default: break;
    }
    CHECK(!"visible instruction");
    return OPERATION_NONE;
}

static bool shows_mutex(enum operation_kind kind) {
    return kind == OPERATION_WAIT_UNLOCK || kind == OPERATION_RELOCK;
}

static enum operation_compare await_compare(enum expression_kind kind) {
    switch (kind) {
        case EXPRESSION_EQUAL: return OPERATION_IS_EQUAL;
        case EXPRESSION_NOT_EQUAL: return OPERATION_IS_NOT_EQUAL;
        case EXPRESSION_LESS: return OPERATION_IS_LESS;
        case EXPRESSION_LESS_EQUAL: return OPERATION_IS_LESS_EQUAL;
        case EXPRESSION_GREATER: return OPERATION_IS_GREATER;
        case EXPRESSION_GREATER_EQUAL: return OPERATION_IS_GREATER_EQUAL;
        default: CHECK(!"comparison"); return OPERATION_IS_EQUAL;
    }
}

static bool owns(const interpreter *m, uint32_t t, uint32_t mutex) {
    return m->cells[mutex] == (int64_t)t + 1;
}

/* Nobody holds it, whether it can be used or not. */
static bool is_free(const interpreter *m, uint32_t mutex) {
    return m->cells[mutex] <= 0;
}

/* Sets the pending operation of a thread that stands before a visible instruction. What depends on
 * shared state is left to refresh. */
/* What a step names that cannot be taken: an element that is not there has a name all the same. */
static uint32_t broken_object(interpreter *m, uint32_t t, const instruction *in) {
    int64_t index;
    const place *where = &in->cell;
    bool outside = in->kind < INSTRUCTION_CHOOSE && where->count > 1 &&
                   model_evaluate(m, t, where->index, &index) &&
                   (index < 0 || index >= (int64_t)where->count);
    if (!outside) {
        return m->threads[t].operation.object;
    }
    return m->program->cells.count +
           name_number(&m->names, (name){NAME_OUTSIDE, where->first, index});
}

static footprint range_footprint(interpreter *m, const instruction *in) {
    model_start_accesses(m);
    model_log_accesses(m, in, in->cell.first, 0);
    return footprint_of(m->accesses.items, m->accesses.count);
}

/* The access belongs to the step before it, and is not shown as one itself. */
static bool is_passing(const interpreter *m, uint32_t t, const instruction *in) {
    return m->treatment != ACCESSES_ARE_STEPS && program_is_plain(m->program, in) &&
           !m->promoted[m->first_location[t] + m->threads[t].pc];
}

static void arrive(interpreter *m, uint32_t t) {
    thread_state *thread = &m->threads[t];
    const instruction *in = model_current(m, t);
    enum operation_kind kind = pending_kind(thread, in);
    operation *op = &thread->operation;
    *op = (operation){.kind = (uint8_t)kind,
                      .flags = OPERATION_ENABLED,
                      .location = m->first_location[t] + thread->pc};
    thread->broken = !model_resolve(m, t, &in->cell, &thread->cell) ||
                     !model_evaluate(m, t, in->a, &thread->a) ||
                     !model_evaluate(m, t, in->b, &thread->b) ||
                     !model_resolve(m, t, &in->mutex, &thread->mutex) ||
                     (kind == OPERATION_RECEIVE && !model_pattern_is_good(m, t));
    op->object = shows_mutex(kind) ? thread->mutex : thread->cell;
    op->causes = thread->causes;
    if (!thread->events && thread->birth.events) {
        thread->causes[op->cause_count++] = thread->birth;
    }
    if (thread->broken) {
        op->object = broken_object(m, t, in);
        return;
    }
    if (m->treatment == ACCESSES_SHOWN && is_passing(m, t, in)) {
        op->flags |= OPERATION_PASSING;
    }
    if (model_is_sync(in->kind)) {
        model_arrive_sync(m, t);
        return;
    }
    switch (kind) {
        case OPERATION_READ:
        case OPERATION_WRITE:
        case OPERATION_ADD:
        case OPERATION_EXCHANGE:
            op->footprint =
                in->length
                    ? range_footprint(m, in)
                    : model_whole(thread->cell, model_memory_mode(m, in, thread->cell, thread->a));
            break;
        case OPERATION_AWAIT:
            op->footprint = model_whole(thread->cell, ACCESS_READ);
            op->flags = OPERATION_VARIES;
            op->expected = (uint64_t)thread->a;
            op->compare = (uint8_t)await_compare(in->compare);
            break;
        case OPERATION_CAS:
            op->expected = (uint64_t)thread->a;
            op->flags |= OPERATION_VARIES;
            break;
        case OPERATION_ATOMIC:
            op->flags |= m->section_varies[op->location] ? OPERATION_VARIES : 0;
            model_refresh_atomic(m, t);
            break;
        case OPERATION_LOCK: op->flags = OPERATION_ACQUIRES; /* fall through */
        case OPERATION_UNLOCK:
        case OPERATION_TRYLOCK:
        case OPERATION_INIT:
        case OPERATION_DESTROY:
        case OPERATION_WAIT:
        case OPERATION_WAIT_UNLOCK:
        case OPERATION_TIMEOUT: op->footprint = model_whole(op->object, ACCESS_READ_WRITE); break;
        case OPERATION_SIGNAL: op->flags |= OPERATION_VARIES; /* fall through */
        case OPERATION_BROADCAST:
            op->footprint = model_whole(op->object, ACCESS_READ_WRITE);
            op->flags |= OPERATION_WAKES;
            break;
        case OPERATION_RELOCK:
            op->flags = OPERATION_ACQUIRES;
            if (thread->phase != WAIT_SLEEPS) {
                op->footprint = model_whole(op->object, ACCESS_READ_WRITE);
            }
            if (thread->phase == WAIT_WOKEN) {
                thread->causes[op->cause_count++] = thread->waker;
                op->flags |= in->kind == INSTRUCTION_TIMED_WAIT ? OPERATION_VARIES : 0;
            }
            break;
        case OPERATION_CHOOSE: op->choice_count = (uint32_t)thread->a; break;
        case OPERATION_SEND:
        case OPERATION_RECEIVE: model_arrive_message(m, t); break;
        default: break;
    }
}

static void refresh_signal(interpreter *m, thread_state *thread) {
    operation *op = &thread->operation;
    op->choice_count = 0;
    for (uint32_t t = 0; t < m->program->threads.count; t++) {
        const thread_state *waiter = &m->threads[t];
        if (waiter->status == THREAD_RUNS && waiter->condition == thread->cell + 1) {
            m->waiters[op->choice_count++] = t;
        }
    }
    op->choices = m->waiters;
}

static void refresh_join(interpreter *m, thread_state *thread) {
    const thread_state *child = &m->threads[thread->cell];
    operation *op = &thread->operation;
    op->flags = child->status == THREAD_ENDED ? OPERATION_ENABLED : 0;
    op->cause_count = 0;
    if (!thread->events && thread->birth.events) {
        thread->causes[op->cause_count++] = thread->birth;
    }
    if (op->flags && child->events) {
        thread->causes[op->cause_count++] = (cause){thread->cell, child->events};
    } else if (op->flags && child->birth.events) {
        thread->causes[op->cause_count++] = child->birth;
    }
}

static void refresh(interpreter *m, uint32_t t) {
    thread_state *thread = &m->threads[t];
    operation *op = &thread->operation;
    if (thread->broken) {
        return;
    }
    if (model_is_sync(model_current(m, t)->kind)) {
        model_refresh_sync(m, t);
        return;
    }
    switch ((enum operation_kind)op->kind) {
        case OPERATION_LOCK: model_set_enabled(op, is_free(m, op->object)); break;
        case OPERATION_RELOCK:
            model_set_enabled(op, thread->phase != WAIT_SLEEPS && is_free(m, op->object));
            break;
        case OPERATION_AWAIT:
            model_set_enabled(op, operation_compare_holds(
                                      op->compare, (uint64_t)m->cells[thread->cell], op->expected));
            break;
        case OPERATION_CAS:
            op->footprint = model_whole(
                thread->cell, model_memory_mode(m, model_current(m, t), thread->cell, thread->a));
            break;
        case OPERATION_ATOMIC:
            if (op->flags & OPERATION_VARIES || op->choice_count) {
                model_refresh_atomic(m, t);
            }
            break;
        case OPERATION_SIGNAL: refresh_signal(m, thread); break;
        case OPERATION_JOIN: refresh_join(m, thread); break;
        case OPERATION_RECEIVE: model_refresh_receive(m, t); break;
        default: break;
    }
}

/* ---- steps ---- */

/* An access of memory, of which the race detector is told. */
static int64_t access_memory(interpreter *m, uint32_t t, const instruction *in) {
    thread_state *thread = &m->threads[t];
    if (m->races) {
        model_start_accesses(m);
        model_log_accesses(m, in, thread->cell, thread->a);
        (program_is_plain(m->program, in) ? m->detector->plain : m->detector->atomic)(m, t);
    }
    return model_apply_memory(m, t, in, thread->cell, thread->a, thread->b);
}

/* A plain access that is part of the present step. */
static void pass(interpreter *m, uint32_t t, const instruction *in) {
    thread_state *thread = &m->threads[t];
    if (!model_resolve(m, t, &in->cell, &thread->cell) ||
        !model_evaluate(m, t, in->a, &thread->a)) {
        model_fail(m, t, ERROR_MISUSE, m->broken_message);
        return;
    }
    access_memory(m, t, in);
    thread->pc++;
}

/* The thread lets others go first: what it looks at may be theirs to change. */
static void pause_thread(interpreter *m, uint32_t t) {
    thread_state *thread = &m->threads[t];
    thread->operation = (operation){.kind = OPERATION_PAUSE,
                                    .flags = OPERATION_ENABLED,
                                    .location = m->first_location[t] + thread->pc,
                                    .causes = thread->causes};
    thread->passed = 0;
    thread->broken = false;
    if (!thread->events && thread->birth.events) {
        thread->causes[thread->operation.cause_count++] = thread->birth;
    }
}

/* Runs local code up to the next operation or the end of the thread. */
static void advance(interpreter *m, uint32_t t) {
    thread_state *thread = &m->threads[t];
    uint32_t n = 0; /* local instructions since the latest access */
    while (thread->status == THREAD_RUNS) {
        const instruction *in = model_current(m, t);
        bool passing = m->races && !model_is_local(in->kind) && is_passing(m, t, in);
        if (passing && thread->passed == PASSING_LIMIT) {
            pause_thread(m, t);
            return;
        }
        thread->passed += passing;
        if (in->kind == INSTRUCTION_END) {
            thread->status = THREAD_ENDED;
        } else if (passing && m->treatment == ACCESSES_IN_PASSING) {
            pass(m, t, in);
            n = 0;
        } else if (!model_is_local(in->kind)) {
            arrive(m, t);
            return;
        } else if (!model_is_endless(m, t, n++, false)) {
            model_run_local(m, t, in);
        }
    }
}

static void wake(interpreter *m, uint32_t waiter, uint32_t t) {
    thread_state *thread = &m->threads[waiter];
    CHECK(thread->phase == WAIT_QUEUED || thread->phase == WAIT_SLEEPS);
    bool asleep = thread->phase == WAIT_SLEEPS;
    thread->condition = 0;
    thread->waker = (cause){t, m->threads[t].events};
    if (asleep) {
        thread->phase = WAIT_WOKEN;
        arrive(m, waiter);
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

static void spawn(interpreter *m, uint32_t t, step_result *result) {
    uint32_t child = m->threads[t].cell;
    if (m->threads[child].status != THREAD_UNBORN) {
        model_fail(m, t, ERROR_MISUSE, "spawn of a thread that has already started");
        return;
    }
    if (m->races) {
        m->detector->spawn(m, t, child);
    }
    m->threads[child].status = THREAD_RUNS;
    m->threads[child].birth = (cause){t, m->threads[t].events};
    result->value = child;
    m->born = child + 1;
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

/* Initialisation and destruction; true if the thread goes on after it. */
static bool change(interpreter *m, uint32_t t, enum operation_kind kind) {
    uint32_t cell = m->threads[t].cell;
    bool mutex = is_mutex(m, cell);
    bool in_use = mutex ? !is_free(m, cell) : is_waited_for(m, cell);
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
            if (!owns(m, t, thread->mutex)) {
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

/* The effect of one visible instruction; true if the thread goes on after it. */
static bool take(interpreter *m, uint32_t t, uint32_t choice, step_result *result) {
    thread_state *thread = &m->threads[t];
    const instruction *in = model_current(m, t);
    enum operation_kind kind = thread->operation.kind;
    if (model_is_sync(in->kind)) {
        return model_take_sync(m, t, result);
    }
    switch (kind) {
        case OPERATION_READ:
        case OPERATION_WRITE:
        case OPERATION_ADD:
        case OPERATION_EXCHANGE:
        case OPERATION_CAS:
        case OPERATION_AWAIT: result->value = (uint64_t)access_memory(m, t, in); return true;
        case OPERATION_PAUSE: return false;
        case OPERATION_ATOMIC:
            model_take_atomic(m, t, choice);
            if (m->races) {
                m->detector->atomic(m, t);
            }
            return false;
        case OPERATION_LOCK:
            result->acquired = true;
            if (is_destroyed(m, t, thread->cell)) {
                return false;
            }
            take_mutex(m, t, thread->cell);
            return true;
        case OPERATION_INIT:
        case OPERATION_DESTROY:
            result->acquired = is_mutex(m, thread->cell) && is_free(m, thread->cell);
            return change(m, t, kind);
        case OPERATION_UNLOCK:
            if (!owns(m, t, thread->cell)) {
                result->acquired = is_free(m, thread->cell);
                model_fail(m, t, ERROR_MISUSE, "unlock of a mutex that the thread does not hold");
                return false;
            }
            give_mutex(m, t, thread->cell);
            return true;
        case OPERATION_TRYLOCK:
            result->acquired = is_free(m, thread->cell);
            if (is_destroyed(m, t, thread->cell)) {
                return false;
            }
            if (result->acquired) {
                take_mutex(m, t, thread->cell);
            }
            result->value = result->acquired;
            model_set_result(m, t, in, result->acquired);
            return true;
        case OPERATION_WAIT:
        case OPERATION_WAIT_UNLOCK:
        case OPERATION_TIMEOUT:
        case OPERATION_RELOCK:
            result->acquired = kind == OPERATION_RELOCK;
            return step_wait(m, t, kind, in);
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
        case OPERATION_CHOOSE:
            result->value = choice;
            model_set_result(m, t, in, choice);
            return true;
        case OPERATION_SPAWN: spawn(m, t, result); return thread->status == THREAD_RUNS;
        case OPERATION_JOIN:
            if (m->races) {
                m->detector->join(m, t, thread->cell);
            }
            result->value = thread->cell;
            return true;
        case OPERATION_SEND: return model_send(m, t, result);
        case OPERATION_RECEIVE: return model_receive(m, t, result);
        default: CHECK(!"operation of the model"); return false;
    }
}

/* ---- the target's functions ---- */

static interpreter *of(target *target) {
    return (interpreter *)target;
}

static void restart(interpreter *m) {
    for (uint32_t t = 0; m->mailboxes && t < m->program->threads.count; t++) {
        mailbox_clear(&m->mailboxes[t], m->messages);
    }
    memcpy(m->state, m->initial, m->front_size);
}

static void interpreter_reset(target *target) {
    interpreter *m = of(target);
    restart(m);
    m->base.resets++;
    m->length = snapshots_back(&m->snapshots, m->state, m->state_size, 0);
    m->strayed = false;
}

static uint32_t interpreter_back(target *target, uint32_t length) {
    interpreter *m = of(target);
    if (!m->strayed && m->length == length) {
        return length;
    }
    m->length = snapshots_back(&m->snapshots, m->state, m->state_size, length);
    m->strayed = false;
    if (!m->length) {
        restart(m);
    }
    return m->length;
}

static void start_threads(interpreter *m);

/* Where plain accesses are steps, threads stand elsewhere at the start. */
static void interpreter_treat_accesses(target *target, enum target_accesses treatment) {
    interpreter *m = of(target);
    if (!m->races) {
        return;
    }
    m->treatment = treatment;
    if (treatment != ACCESSES_SHOWN) {
        m->promotions = 0;
        memcpy(m->promoted, m->wanted, m->location_count);
    }
    start_threads(m);
    interpreter_reset(target);
}

/* Number i of the accesses that are steps because they race. */
static bool interpreter_describe_shared(target *target, uint32_t i, FILE *out) {
    const interpreter *m = of(target);
    for (uint32_t location = 0; location < m->location_count; location++) {
        if (m->promoted[location] && i-- == 0) {
            fprintf(out, "promoted %u", location);
            return true;
        }
    }
    return false;
}

bool interpreter_is_promoted(const target *target, uint32_t location) {
    return ((const interpreter *)target)->promoted[location];
}

bool interpreter_expect_shared(target *target, const char *text) {
    interpreter *m = of(target);
    uint32_t location;
    if (sscanf(text, "promoted %u", &location) != 1 || location >= m->location_count) {
        return false;
    }
    m->promoted[location] = m->wanted[location] = true;
    return true;
}

/* The errors of a list as a chain, or NULL. */
static const program_error *chain(failure_list *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        failure *f = &vector_at(list, i);
        f->error.message = f->message;
        f->error.next = i + 1 < list->count ? &vector_at(list, i + 1).error : NULL;
    }
    return list->count ? &vector_at(list, 0).error : NULL;
}

static const program_error *interpreter_start_error(target *target, uint32_t i) {
    failure_list *list = &of(target)->start_failures;
    if (i >= list->count) {
        return NULL;
    }
    vector_at(list, i).error.message = vector_at(list, i).message;
    return &vector_at(list, i).error;
}

static uint32_t interpreter_thread_count(target *target) {
    return of(target)->program->threads.count;
}

static const operation *interpreter_pending(target *target, uint32_t t) {
    interpreter *m = of(target);
    if (t >= m->program->threads.count || m->threads[t].status != THREAD_RUNS) {
        return NULL;
    }
    refresh(m, t);
    return &m->threads[t].operation;
}

static void interpreter_step(target *target, uint32_t t, uint32_t choice, step_result *result) {
    interpreter *m = of(target);
    thread_state *thread = &m->threads[t];
    *result = (step_result){0};
    vector_clear(&m->failures);
    thread->events++;
    thread->passed = thread->operation.flags & OPERATION_PASSING ? thread->passed : 0;
    if (thread->broken) {
        model_resolve(m, t, &model_current(m, t)->cell, &thread->cell);
        model_fail(m, t, ERROR_MISUSE, m->broken_message);
    } else {
        m->born = 0;
        thread->pc += take(m, t, choice, result);
        advance(m, t);
        if (m->born) {
            advance(m, m->born - 1);
        }
    }
    result->error = chain(&m->failures);
    m->length++;
    if (!m->strayed) {
        snapshots_take(&m->snapshots, m->state, m->state_size, m->length);
    }
}

static enum target_ending interpreter_ending(target *target) {
    interpreter *m = of(target);
    target->stale |= m->promotions > 0;
    target->promoted |= m->promotions > 0;
    uint32_t seen[THREAD_FAILED + 1] = {0};
    for (uint32_t t = 0; t < m->program->threads.count; t++) {
        seen[m->threads[t].status]++;
    }
    if (seen[THREAD_ASSUMED]) {
        return ENDING_ASSUME_BLOCKED;
    }
    return seen[THREAD_RUNS] && !seen[THREAD_FAILED] ? ENDING_DEADLOCK : ENDING_COMPLETE;
}

static uint64_t interpreter_value(target *target, uint32_t object) {
    const interpreter *m = of(target);
    return object < m->program->cells.count ? (uint64_t)m->cells[object] : 0;
}

static size_t interpreter_state_size(target *target) {
    return of(target)->state_size;
}

static void interpreter_save(target *target, void *state) {
    memcpy(state, of(target)->state, of(target)->state_size);
}

static void interpreter_restore(target *target, const void *state) {
    memcpy(of(target)->state, state, of(target)->state_size);
    of(target)->strayed = true;
}

/* What a thread will do follows from where it stands and from those of its registers that matter
 * there; what is cached of its pending operation does not count. */
static bool same_thread(const interpreter *m, uint32_t t, const char *state, const char *other) {
    size_t threads = (size_t)((char *)m->threads - m->state);
    size_t registers = (size_t)((char *)m->registers - m->state);
    const thread_state *a = (const thread_state *)(state + threads) + t;
    const thread_state *b = (const thread_state *)(other + threads) + t;
    if (a->status != b->status || a->pc != b->pc || a->phase != b->phase ||
        a->condition != b->condition) {
        return false;
    }
    const model_thread *thread = &vector_at(&m->program->threads, t);
    const int64_t *left = (const int64_t *)(state + registers) + a->first_register;
    const int64_t *right = (const int64_t *)(other + registers) + a->first_register;
    const bool *live = liveness_at(&m->liveness, m->program, t, a->pc);
    uint32_t named = vector_at(&thread->code, a->pc).named;
    for (uint32_t i = 0; i < thread->register_count; i++) {
        bool matters = i < named || (live[i] && a->status == THREAD_RUNS);
        if (matters && left[i] != right[i]) {
            return false;
        }
    }
    return true;
}

static void know_liveness(interpreter *m) {
    if (!m->liveness.live.count) {
        liveness_compute(&m->liveness, m->program);
    }
}

static bool interpreter_equal_thread(target *target, const void *state, const void *other,
                                     uint32_t thread) {
    know_liveness(of(target));
    return same_thread(of(target), thread, state, other);
}

static bool interpreter_equal(target *target, const void *state, const void *other) {
    interpreter *m = of(target);
    size_t cells = m->program->cells.count * sizeof *m->cells;
    const char *a = state, *b = other;
    know_liveness(m);
    for (uint32_t t = 0; t < m->program->threads.count; t++) {
        if (!same_thread(m, t, a, b)) {
            return false;
        }
    }
    size_t mail = m->mailboxes ? (size_t)((char *)m->mailboxes - m->state) : m->state_size;
    size_t holds = (size_t)(m->sync - m->state);
    return memcmp(a, b, cells) == 0 && memcmp(a + holds, b + holds, m->holds_size) == 0 &&
           memcmp(a + mail, b + mail, m->state_size - mail) == 0;
}

static void interpreter_describe_thread(target *target, uint32_t t, FILE *out) {
    fputs(vector_at(&of(target)->program->threads, t).name, out);
}

static void interpreter_describe_object(target *target, uint32_t object, FILE *out) {
    const interpreter *m = of(target);
    if (object < m->program->cells.count) {
        fputs(vector_at(&m->program->cells, object).name, out);
    } else {
        model_describe_name(m, object - m->program->cells.count, out);
    }
}

static const instruction *instruction_at(const interpreter *m, uint32_t location) {
    uint32_t t = m->program->threads.count;
    while (t-- > 0) {
        if (location >= m->first_location[t]) {
            const model_thread *thread = &vector_at(&m->program->threads, t);
            return &vector_at(&thread->code, location - m->first_location[t]);
        }
    }
    return NULL;
}

static bool interpreter_describe_location(target *target, uint32_t location, const char **file,
                                          uint32_t *line) {
    const instruction *in = instruction_at(of(target), location);
    if (in) {
        *file = of(target)->program->file;
        *line = in->line;
    }
    return in != NULL;
}

static uint32_t interpreter_describe_column(target *target, uint32_t location) {
    const instruction *in = instruction_at(of(target), location);
    return in ? in->column : 0;
}

static size_t tables_size(const program *p) {
    return (p->threads.count ? p->threads.count : 1) * sizeof(uint32_t);
}

static void interpreter_destroy(target *target) {
    interpreter *m = of(target);
    memory_resize(m->state, m->state_size, 0);
    memory_resize(m->initial, m->front_size, 0);
    model_free_sync(m);
    memory_resize(m->first_location, tables_size(m->program), 0);
    memory_resize(m->waiters, tables_size(m->program), 0);
    memory_resize(m->section_varies, m->location_count, 0);
    memory_resize(m->promoted, m->location_count, 0);
    memory_resize(m->wanted, m->location_count, 0);
    vector_free(&m->touched);
    memory_resize(m->awaited, m->program->cells.count + 1, 0);
    memory_resize(m->writers, (m->program->cells.count + 1) * sizeof *m->writers, 0);
    snapshots_free(&m->snapshots);
    vector_free(&m->accesses);
    vector_free(&m->undo);
    vector_free(&m->united);
    vector_free(&m->path);
    for (uint32_t t = 0; t < m->program->threads.count; t++) {
        vector_free(&m->choices[t]);
    }
    memory_resize(m->choices, (m->program->threads.count + 1) * sizeof *m->choices, 0);
    vector_free(&m->saved);
    vector_free(&m->kept.registers);
    vector_free(&m->kept.cells);
    vector_free(&m->failures);
    vector_free(&m->start_failures);
    vector_free(&m->tags);
    name_table_free(&m->names);
    liveness_free(&m->liveness);
    memory_resize(m, sizeof *m, 0);
}

static const target_class interpreter_class = {
    .reset = interpreter_reset,
    .back = interpreter_back,
    .start_error = interpreter_start_error,
    .thread_count = interpreter_thread_count,
    .pending = interpreter_pending,
    .step = interpreter_step,
    .ending = interpreter_ending,
    .value = interpreter_value,
    .state_size = interpreter_state_size,
    .save = interpreter_save,
    .restore = interpreter_restore,
    .equal = interpreter_equal,
    .equal_thread = interpreter_equal_thread,
    .treat_accesses = interpreter_treat_accesses,
    .describe_shared = interpreter_describe_shared,
    .describe_thread = interpreter_describe_thread,
    .describe_object = interpreter_describe_object,
    .describe_location = interpreter_describe_location,
    .describe_column = interpreter_describe_column,
    .destroy = interpreter_destroy,
};

/* The state at the start: every thread stands before its first operation. */
static void start_threads(interpreter *m) {
    const program *p = m->program;
    uint32_t registers = 0;
    memset(m->state, 0, (size_t)((char *)m->races_end - m->state));
    for (uint32_t i = 0; i < p->cells.count; i++) {
        const cell *c = &vector_at(&p->cells, i);
        m->cells[i] = c->kind == CELL_BARRIER ? 0 : c->initial;
    }
    for (uint32_t t = 0; t < p->threads.count; t++) {
        m->threads[t].first_register = registers;
        registers += vector_at(&p->threads, t).register_count;
    }
    vector_clear(&m->failures);
    vector_clear(&m->start_failures);
    for (uint32_t t = 0; t < p->threads.count; t++) {
        if (vector_at(&p->threads, t).starts) {
            m->threads[t].status = THREAD_RUNS;
            if (m->races) {
                m->detector->start(m, t);
            }
            advance(m, t);
        }
    }
    for (uint32_t i = 0; i < m->failures.count; i++) {
        vector_push(&m->start_failures, vector_at(&m->failures, i));
    }
    memcpy(m->initial, m->state, m->front_size);
}

/* What is the same whatever accesses are: the cells, where code and registers of threads are. */
static void prepare(interpreter *m) {
    const program *p = m->program;
    uint32_t locations = 0;
    for (uint32_t t = 0; t < p->threads.count; t++) {
        m->first_location[t] = locations;
        locations += vector_at(&p->threads, t).code.count;
    }
    m->location_count = locations + 1;
    m->section_varies = memory_resize(NULL, 0, m->location_count);
    m->awaited = memory_resize(NULL, 0, p->cells.count + 1);
    m->writers = memory_resize(NULL, 0, (p->cells.count + 1) * sizeof *m->writers);
    m->promoted = memory_resize(NULL, 0, m->location_count);
    m->wanted = memory_resize(NULL, 0, m->location_count);
    model_classify_sections(m);
    model_find_awaited(m);
}

/* The parts of the state, and its size. */
static void plan_state(interpreter *m) {
    const program *p = m->program;
    bool messages = program_has_messages(p);
    VECTOR(mailbox) mailboxes = {0};
    vector_resize(&mailboxes, p->threads.count + 1);
    memset(mailboxes.items, 0, mailboxes.count * sizeof *mailboxes.items);
    size_t slots = messages ? mailbox_plan(p, mailboxes.items) : 0;
    size_t registers = 1;
    for (uint32_t t = 0; t < p->threads.count; t++) {
        registers += vector_at(&p->threads, t).register_count;
    }
    size_t cells_size = p->cells.count * sizeof *m->cells;
    size_t threads_size = p->threads.count * sizeof *m->threads;
    size_t registers_size = registers * sizeof *m->registers;
    size_t sync_size = model_plan_sync(m);
    size_t mailboxes_size = messages ? p->threads.count * sizeof *m->mailboxes : 0;
    size_t races_size = model_race_size(p);
    size_t mail_start = cells_size + threads_size + registers_size + sync_size + races_size;
    m->front_size = mail_start + mailboxes_size;
    m->state_size = m->front_size + slots * sizeof *m->messages;
    m->state = memory_resize(NULL, 0, m->state_size);
    m->cells = (int64_t *)m->state;
    m->threads = (thread_state *)(m->state + cells_size);
    m->registers = (int64_t *)(m->state + cells_size + threads_size);
    m->sync = m->state + cells_size + threads_size + registers_size;
    m->races_end = m->state + mail_start;
    m->races = races_size ? m->races_end - races_size : NULL;
    if (messages) {
        m->mailboxes = (mailbox *)(m->state + mail_start);
        m->messages = (message *)(m->state + m->front_size);
        memcpy(m->mailboxes, mailboxes.items, mailboxes_size);
    }
    vector_free(&mailboxes);
}

target *interpreter_create(const program *p) {
    return interpreter_create_with(p, &interpreter_races);
}

target *interpreter_create_with(const program *p, const race_detector *detector) {
    interpreter *m = memory_resize(NULL, 0, sizeof *m);
    m->base.class = &interpreter_class;
    m->base.compares = program_has_comparisons(p);
    m->program = p;
    m->detector = detector;
    plan_state(m);
    m->first_location = memory_resize(NULL, 0, tables_size(p));
    m->waiters = memory_resize(NULL, 0, tables_size(p));
    m->choices = memory_resize(NULL, 0, (p->threads.count + 1) * sizeof *m->choices);
    m->initial = memory_resize(NULL, 0, m->front_size);
    prepare(m);
    start_threads(m);
    return &m->base;
}
