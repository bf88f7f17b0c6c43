/* Pending operations: what a thread that stands before a visible instruction would do. */
#include "targets/abstract/interpreter_state.h"

/* What an instruction is as an operation, unless that depends on how far it has come. */
static const uint8_t kinds[] = {
    [INSTRUCTION_READ] = OPERATION_READ,
    [INSTRUCTION_WRITE] = OPERATION_WRITE,
    [INSTRUCTION_ADD] = OPERATION_ADD,
    [INSTRUCTION_EXCHANGE] = OPERATION_EXCHANGE,
    [INSTRUCTION_CAS] = OPERATION_CAS,
    [INSTRUCTION_AWAIT] = OPERATION_AWAIT,
    [INSTRUCTION_LOCK] = OPERATION_LOCK,
    [INSTRUCTION_UNLOCK] = OPERATION_UNLOCK,
    [INSTRUCTION_TRYLOCK] = OPERATION_TRYLOCK,
    [INSTRUCTION_INIT] = OPERATION_INIT,
    [INSTRUCTION_DESTROY] = OPERATION_DESTROY,
    [INSTRUCTION_SIGNAL] = OPERATION_SIGNAL,
    [INSTRUCTION_BROADCAST] = OPERATION_BROADCAST,
    [INSTRUCTION_SEMAPHORE_WAIT] = OPERATION_SEMAPHORE_WAIT,
    [INSTRUCTION_SEMAPHORE_TRY] = OPERATION_SEMAPHORE_TRY,
    [INSTRUCTION_POST] = OPERATION_POST,
    [INSTRUCTION_READ_LOCK] = OPERATION_READ_LOCK,
    [INSTRUCTION_WRITE_LOCK] = OPERATION_WRITE_LOCK,
    [INSTRUCTION_TRY_READ_LOCK] = OPERATION_TRY_READ_LOCK,
    [INSTRUCTION_TRY_WRITE_LOCK] = OPERATION_TRY_WRITE_LOCK,
    [INSTRUCTION_RELEASE] = OPERATION_UNLOCK,
    [INSTRUCTION_ONCE] = OPERATION_ONCE,
    [INSTRUCTION_ONCE_END] = OPERATION_ONCE_END,
    [INSTRUCTION_CHOOSE] = OPERATION_CHOOSE,
    [INSTRUCTION_FENCE] = OPERATION_FENCE,
    [INSTRUCTION_SPAWN] = OPERATION_SPAWN,
    [INSTRUCTION_JOIN] = OPERATION_JOIN,
    [INSTRUCTION_SEND] = OPERATION_SEND,
    [INSTRUCTION_POLL] = OPERATION_RECEIVE,
    [INSTRUCTION_ATOMIC_BEGIN] = OPERATION_ATOMIC,
    [INSTRUCTION_FILL] = OPERATION_WRITE,
    [INSTRUCTION_COPY] = OPERATION_WRITE,
    [INSTRUCTION_RECEIVE] = OPERATION_RECEIVE,
};

static enum operation_kind wait_kind(const thread_state *thread, const instruction *in) {
    switch ((enum wait_phase)thread->phase) {
        case WAIT_NOT: return OPERATION_WAIT;
        case WAIT_QUEUED: return OPERATION_WAIT_UNLOCK;
        case WAIT_SLEEPS:
            return in->kind == INSTRUCTION_WAIT ? OPERATION_RELOCK : OPERATION_TIMEOUT;
        default: return OPERATION_RELOCK;
    }
}

static enum operation_kind pending_kind(const thread_state *thread, const instruction *in) {
    if (in->kind == INSTRUCTION_WAIT || in->kind == INSTRUCTION_TIMED_WAIT) {
        return wait_kind(thread, in);
    }
    if (in->kind == INSTRUCTION_BARRIER) {
        return thread->phase == WAIT_NOT ? OPERATION_ARRIVE : OPERATION_LEAVE;
    }
    CHECK(in->kind < sizeof kinds && kinds[in->kind] != OPERATION_NONE);
    return kinds[in->kind];
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

/* The object that a step in error names: an array element that does not exist has a name as well.
 * */
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
bool model_is_passing(const interpreter *m, uint32_t t, const instruction *in) {
    return m->treatment != ACCESSES_ARE_STEPS && program_is_plain(m->program, in) &&
           !m->promoted[m->first_location[t] + m->threads[t].pc];
}

/* What the pending operation of a mutex or a condition touches, as far as that does not depend on
 * shared state. */
static void describe_lock(thread_state *thread, const instruction *in) {
    operation *op = &thread->operation;
    switch ((enum operation_kind)op->kind) {
        case OPERATION_LOCK: op->flags = OPERATION_ACQUIRES | OPERATION_STAYS; /* fall through */
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
        default: break;
    }
}

/* The same of any other operation. */
static void describe(interpreter *m, uint32_t t, const instruction *in) {
    thread_state *thread = &m->threads[t];
    operation *op = &thread->operation;
    switch ((enum operation_kind)op->kind) {
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
        case OPERATION_CHOOSE: op->choice_count = (uint32_t)thread->a; break;
        case OPERATION_SEND:
        case OPERATION_RECEIVE: model_arrive_message(m, t); break;
        default: describe_lock(thread, in); break;
    }
}

void model_arrive(interpreter *m, uint32_t t) {
    thread_state *thread = &m->threads[t];
    const instruction *in = model_current(m, t);
    enum operation_kind kind = pending_kind(thread, in);
    operation *op = &thread->operation;
    *op = (operation){.kind = (uint8_t)kind,
                      .flags = OPERATION_ENABLED,
                      .order = in->order,
                      .failure = in->failure,
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
    if (m->treatment == ACCESSES_SHOWN && model_is_passing(m, t, in)) {
        op->flags |= OPERATION_PASSING;
    }
    if (model_is_sync(in->kind)) {
        model_arrive_sync(m, t);
        return;
    }
    describe(m, t, in);
    if (m->changes.count) {
        model_change_order(m, t);
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

void model_refresh(interpreter *m, uint32_t t) {
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
        case OPERATION_LOCK: model_set_enabled(op, model_is_free(m, op->object)); break;
        case OPERATION_RELOCK:
            model_set_enabled(op, thread->phase != WAIT_SLEEPS && model_is_free(m, op->object));
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
