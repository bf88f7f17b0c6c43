/* Mutexes and conditions of the oracle's machine. */
#include "oracle/machine_part.h"

static void wake(machine *m, machine_event *e, uint32_t waiter) {
    machine_thread *thread = &m->threads[waiter];
    CHECK(thread->present && !thread->woken);
    thread->present = false;
    thread->woken = true;
    thread->waker = (machine_edge){e->thread, e->index};
}

static void wake_all(machine *m, machine_event *e, uint32_t condition) {
    for (uint32_t t = 0; t < m->program->threads.count; t++) {
        if (m->threads[t].present && m->threads[t].condition == condition) {
            wake(m, e, t);
        }
    }
}

bool machine_continue_wait(machine *m, machine_event *e) {
    machine_thread *thread = &m->threads[e->thread];
    const instruction *i = machine_next_instruction(m, e->thread);
    if (thread->phase == PHASE_ENQUEUED) {
        e->kind = KIND_WAIT_UNLOCK;
        machine_note_write(e, thread->mutex);
        m->owners[thread->mutex] = MACHINE_NONE;
        thread->phase = PHASE_UNLOCKED;
        return false;
    }
    if (!machine_must_relock(thread)) {
        e->kind = KIND_TIMEOUT;
        machine_note_write(e, thread->condition);
        thread->present = false;
        thread->timed_out = true;
        return false;
    }
    e->kind = KIND_RELOCK;
    machine_note_write(e, thread->mutex);
    if (thread->woken) {
        machine_note_edge(e, thread->waker);
    }
    if (m->destroyed[thread->mutex]) {
        machine_fail(m, e->thread, FAULT_MISUSE);
        return false;
    }
    m->owners[thread->mutex] = e->thread;
    if (thread->timed) {
        machine_observe(m, e, i, thread->timed_out);
    }
    thread->phase = PHASE_NONE;
    thread->woken = thread->timed_out = thread->timed = false;
    return true;
}

void machine_begin_wait(machine *m, machine_event *e, const instruction *i, uint32_t condition,
                        uint32_t mutex) {
    machine_thread *thread = &m->threads[e->thread];
    machine_note_write(e, condition);
    if (m->owners[mutex] != e->thread || m->destroyed[condition]) {
        machine_fail(m, e->thread, FAULT_MISUSE);
        return;
    }
    thread->phase = PHASE_ENQUEUED;
    thread->condition = condition;
    thread->mutex = mutex;
    thread->present = true;
    thread->timed = i->kind == INSTRUCTION_TIMED_WAIT;
}

static bool has_waiter(const machine *m, uint32_t condition) {
    for (uint32_t t = 0; t < m->program->threads.count; t++) {
        if (m->threads[t].present && m->threads[t].condition == condition) {
            return true;
        }
    }
    return false;
}

/* Both need a mutex that is free, or a condition without waiters. */
static void change(machine *m, machine_event *e, uint32_t number) {
    bool mutex = vector_at(&m->program->cells, number).kind == CELL_MUTEX;
    bool used = mutex ? m->owners[number] != MACHINE_NONE : has_waiter(m, number);
    if (used || (e->kind == KIND_DESTROY && m->destroyed[number])) {
        machine_fail(m, e->thread, FAULT_MISUSE);
    } else {
        m->destroyed[number] = e->kind == KIND_DESTROY;
    }
}

/* What was destroyed can only be initialised; an unlock of it is in error for another reason. */
static bool is_unusable(const machine *m, const machine_event *e, uint32_t number) {
    return m->destroyed[number] && (e->kind == KIND_LOCK || e->kind == KIND_TRYLOCK ||
                                    e->kind == KIND_SIGNAL || e->kind == KIND_BROADCAST);
}

void machine_run_lock(machine *m, machine_event *e, const instruction *i, uint32_t number) {
    bool free = i->kind == INSTRUCTION_TRYLOCK && m->owners[number] == MACHINE_NONE;
    if (e->kind >= KIND_LOCK && e->kind <= KIND_BROADCAST) {
        machine_note_write(e, number);
        if (is_unusable(m, e, number)) {
            machine_fail(m, e->thread, FAULT_MISUSE);
            return;
        }
    }
    switch (e->kind) {
        case KIND_INIT:
        case KIND_DESTROY: change(m, e, number); break;
        case KIND_LOCK: m->owners[number] = e->thread; break;
        case KIND_UNLOCK:
            if (m->owners[number] == e->thread) {
                m->owners[number] = MACHINE_NONE;
            } else {
                machine_fail(m, e->thread, FAULT_MISUSE);
            }
            break;
        case KIND_TRYLOCK:
            m->owners[number] = free ? e->thread : m->owners[number];
            machine_observe(m, e, i, free);
            break;
        case KIND_SIGNAL:
            if (e->choice != MACHINE_NONE) {
                wake(m, e, e->choice);
            }
            break;
        case KIND_BROADCAST: wake_all(m, e, number); break;
        default: CHECK(false);
    }
}
