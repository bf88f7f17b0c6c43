/* Steps: local code up to the next operation, and the effects of operations. */
#include "targets/abstract/interpreter_race.h"
#include "targets/abstract/interpreter_state.h"

/* What the step or access that was logged last has written, for spin loops. */
static void note_writes(interpreter *m, uint32_t t) {
    for (uint32_t i = 0; m->void_reads.count && i < m->touched.count; i++) {
        const memory_access *a = &vector_at(&m->touched, i);
        if (a->mode & ACCESS_WRITE) {
            model_note_write(m, t, a->object);
        }
    }
}

/* An access of memory, which the race detector is notified of. */
static int64_t access_memory(interpreter *m, uint32_t t, const instruction *in) {
    thread_state *thread = &m->threads[t];
    if (m->races) {
        model_start_accesses(m);
        model_log_accesses(m, in, thread->cell, thread->a);
        (program_is_plain(m->program, in) ? m->detector->plain : m->detector->atomic)(m, t);
        note_writes(m, t);
    }
    return model_apply_memory(m, t, in, thread->cell, thread->a, thread->b);
}

/* A plain access that is part of the current step. */
static void pass(interpreter *m, uint32_t t, const instruction *in) {
    thread_state *thread = &m->threads[t];
    if (!model_resolve(m, t, &in->cell, &thread->cell) ||
        !model_evaluate(m, t, in->a, &thread->a)) {
        model_fail(m, t, ERROR_MISUSE, m->broken_message);
        return;
    }
    access_memory(m, t, in);
    m->spin_wrote |= in->kind != INSTRUCTION_READ;
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
void model_advance(interpreter *m, uint32_t t) {
    thread_state *thread = &m->threads[t];
    uint32_t n = 0; /* local instructions since the latest access */
    while (thread->status == THREAD_RUNS) {
        const instruction *in = model_current(m, t);
        bool passing = m->races && !model_is_local(in->kind) && model_is_passing(m, t, in);
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
            model_arrive(m, t);
            return;
        } else if (!model_is_endless(m, t, n++, false)) {
            model_run_local(m, t, in);
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

/* The effect of one visible instruction; true if the thread continues after it. */
bool model_take(interpreter *m, uint32_t t, uint32_t choice, step_result *result) {
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
        case OPERATION_FENCE:
            if (m->races && m->keeps_versions) {
                m->detector->fence(m, t, thread->operation.order);
            }
            return !thread->fences;
        case OPERATION_PAUSE: return false;
        case OPERATION_ATOMIC:
            model_take_atomic(m, t, choice);
            if (m->races) {
                m->detector->atomic(m, t);
                note_writes(m, t);
            }
            return false;
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
        default: return model_take_lock(m, t, choice, result);
    }
}
