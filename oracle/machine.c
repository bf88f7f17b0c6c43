#include "oracle/machine.h"

#include "oracle/machine_mail.h"
#include "oracle/machine_part.h"
#include "oracle/machine_spin.h"
#include "oracle/machine_sync.h"
#include "oracle/races.h"

void machine_run_local_instruction(machine *m, uint32_t t) {
    machine_thread *thread = &m->threads[t];
    const instruction *i = machine_next_instruction(m, t);
    int64_t value;
    if (!machine_evaluate(m, t, i->a, &value)) {
        machine_fail(m, t, FAULT_MISUSE);
        return;
    }
    switch (i->kind) {
        case INSTRUCTION_SET: machine_set_register(m, t, i->result, value); break;
        case INSTRUCTION_JUMP: thread->counter = i->jump; return;
        case INSTRUCTION_BRANCH:
            if (!value) {
                thread->counter = i->jump;
                return;
            }
            break;
        case INSTRUCTION_ASSUME:
            if (!value) {
                thread->status = STATUS_ASSUMED;
                return;
            }
            break;
        case INSTRUCTION_ASSERT:
            if (!value) {
                machine_fail(m, t, FAULT_ASSERTION);
                return;
            }
            break;
        default: CHECK(false);
    }
    thread->counter++;
}

/* Local code up to the next operation or the end of the thread. */
static void run_local(machine *m, uint32_t t) {
    machine_thread *thread = &m->threads[t];
    uint32_t budget = MACHINE_LOCAL_STEPS;
    while (thread->status == STATUS_RUNNING &&
           machine_is_local(machine_next_instruction(m, t)->kind)) {
        if (!budget--) {
            m->gave_up = true;
            return;
        }
        machine_run_local_instruction(m, t);
    }
    if (thread->status == STATUS_RUNNING &&
        machine_next_instruction(m, t)->kind == INSTRUCTION_END) {
        thread->status = STATUS_ENDED;
    }
}

static void start_thread(machine *m, uint32_t t, machine_edge spawner) {
    m->threads[t].status = STATUS_RUNNING;
    m->threads[t].spawner = spawner;
    run_local(m, t);
    machine_note_arrival(m, t);
}

bool machine_init(machine *m, const program *p, bool fine) {
    *m = (machine){.program = p, .fine = fine};
    if (p->threads.count > MACHINE_THREADS || p->cells.count > MACHINE_CELLS) {
        return false;
    }
    m->loops = machine_has_loops(p);
    for (uint32_t c = 0; c < p->cells.count; c++) {
        bool barrier = vector_at(&p->cells, c).kind == CELL_BARRIER;
        m->cells[c] = barrier ? 0 : vector_at(&p->cells, c).initial;
        m->owners[c] = MACHINE_NONE;
    }
    if (!machine_init_sync(m)) {
        return false;
    }
    for (uint32_t t = 0; t < p->threads.count; t++) {
        if (vector_at(&p->threads, t).register_count > MACHINE_REGISTERS ||
            (m->loops && vector_at(&p->threads, t).code.count > MACHINE_CODE) ||
            machine_pattern_is_long(&vector_at(&p->threads, t))) {
            return false;
        }
        if (vector_at(&p->threads, t).starts) {
            start_thread(m, t, (machine_edge){MACHINE_NONE, MACHINE_NONE});
        }
    }
    return !m->gave_up;
}

static bool await_holds(const machine *m, uint32_t t, const instruction *i) {
    uint32_t cell;
    int64_t wanted, holds;
    if (!machine_resolve(m, t, &i->cell, &cell) || !machine_evaluate(m, t, i->a, &wanted)) {
        return true; /* the step is the error */
    }
    CHECK(expression_apply(i->compare, m->cells[cell], wanted, &holds));
    return holds != 0;
}

static bool can_receive(const machine *m, uint32_t t, const instruction *i) {
    machine_pattern pattern;
    return !machine_find_pattern(m, t, i, &pattern) ||
           machine_find_message(m, t, &pattern) != MACHINE_NONE;
}

bool machine_enabled(const machine *m, uint32_t t) {
    return machine_possible(m, t) && !machine_closes_round(m, t);
}

bool machine_may_time_out(const machine *m, uint32_t t) {
    const machine_thread *thread = &m->threads[t];
    return thread->status == STATUS_RUNNING && thread->phase == PHASE_UNLOCKED &&
           !machine_must_relock(thread);
}

bool machine_possible(const machine *m, uint32_t t) {
    const machine_thread *thread = &m->threads[t];
    if (thread->status != STATUS_RUNNING || m->gave_up) {
        return false;
    }
    if (thread->phase == PHASE_ARRIVED) {
        return machine_may_leave(m, t);
    }
    if (thread->phase == PHASE_UNLOCKED && machine_must_relock(thread)) {
        return (thread->woken || thread->timed_out) && m->owners[thread->mutex] == MACHINE_NONE;
    }
    if (thread->phase != PHASE_NONE) {
        return true;
    }
    const instruction *i = machine_next_instruction(m, t);
    uint32_t number;
    switch (i->kind) {
        case INSTRUCTION_LOCK:
            return !machine_resolve(m, t, &i->cell, &number) || m->owners[number] == MACHINE_NONE;
        case INSTRUCTION_JOIN:
            return !machine_resolve(m, t, &i->cell, &number) ||
                   m->threads[number].status == STATUS_ENDED;
        case INSTRUCTION_AWAIT: return await_holds(m, t, i);
        case INSTRUCTION_RECEIVE: return can_receive(m, t, i);
        default:
            return !machine_is_sync(i->kind) || !machine_resolve(m, t, &i->cell, &number) ||
                   machine_sync_enabled(m, t, i->kind, number);
    }
}

uint32_t machine_alternatives(const machine *m, uint32_t t, uint32_t *choices) {
    uint32_t count = 0;
    const instruction *i = machine_next_instruction(m, t);
    int64_t values = 0;
    uint32_t condition;
    if (m->threads[t].phase == PHASE_NONE && i->kind == INSTRUCTION_CHOOSE &&
        machine_evaluate(m, t, i->a, &values)) {
        for (; count < values && count < MACHINE_CELLS; count++) {
            choices[count] = count;
        }
    }
    if (m->threads[t].phase == PHASE_NONE && i->kind == INSTRUCTION_SIGNAL &&
        machine_resolve(m, t, &i->cell, &condition)) {
        for (uint32_t other = 0; other < m->program->threads.count; other++) {
            if (m->threads[other].present && m->threads[other].condition == condition) {
                choices[count++] = other;
            }
        }
    }
    if (m->threads[t].phase == PHASE_NONE && i->kind == INSTRUCTION_ATOMIC_BEGIN) {
        count = machine_section_alternatives(m, t, choices);
    }
    if (!count) {
        choices[count++] = MACHINE_NONE;
    }
    return count;
}

static void spawn(machine *m, machine_event *e, uint32_t child) {
    if (m->threads[child].status != STATUS_ABSENT) {
        machine_fail(m, e->thread, FAULT_MISUSE);
        return;
    }
    start_thread(m, child, (machine_edge){e->thread, e->index});
}

static void join(machine *m, machine_event *e, uint32_t child) {
    const machine_thread *thread = &m->threads[child];
    machine_note_edge(e, thread->spawner);
    if (thread->events) {
        machine_note_edge(e, (machine_edge){child, thread->events - 1});
    }
}

static enum machine_kind kind_of(enum instruction_kind kind) {
    static const enum machine_kind kinds[] = {
        [INSTRUCTION_READ] = KIND_READ,
        [INSTRUCTION_WRITE] = KIND_WRITE,
        [INSTRUCTION_ADD] = KIND_ADD,
        [INSTRUCTION_EXCHANGE] = KIND_EXCHANGE,
        [INSTRUCTION_CAS] = KIND_CAS,
        [INSTRUCTION_FILL] = KIND_WRITE,
        [INSTRUCTION_COPY] = KIND_WRITE,
        [INSTRUCTION_AWAIT] = KIND_AWAIT,
        [INSTRUCTION_LOCK] = KIND_LOCK,
        [INSTRUCTION_UNLOCK] = KIND_UNLOCK,
        [INSTRUCTION_TRYLOCK] = KIND_TRYLOCK,
        [INSTRUCTION_INIT] = KIND_INIT,
        [INSTRUCTION_DESTROY] = KIND_DESTROY,
        [INSTRUCTION_WAIT] = KIND_WAIT,
        [INSTRUCTION_TIMED_WAIT] = KIND_WAIT,
        [INSTRUCTION_SIGNAL] = KIND_SIGNAL,
        [INSTRUCTION_BROADCAST] = KIND_BROADCAST,
        [INSTRUCTION_CHOOSE] = KIND_CHOOSE,
        [INSTRUCTION_FENCE] = KIND_FENCE,
        [INSTRUCTION_SPAWN] = KIND_SPAWN,
        [INSTRUCTION_JOIN] = KIND_JOIN,
        [INSTRUCTION_SEND] = KIND_SEND,
        [INSTRUCTION_RECEIVE] = KIND_RECEIVE,
        [INSTRUCTION_POLL] = KIND_RECEIVE,
        [INSTRUCTION_ATOMIC_BEGIN] = KIND_ATOMIC,
        [INSTRUCTION_SEMAPHORE_WAIT] = KIND_SEMAPHORE_WAIT,
        [INSTRUCTION_SEMAPHORE_TRY] = KIND_SEMAPHORE_TRY,
        [INSTRUCTION_POST] = KIND_POST,
        [INSTRUCTION_READ_LOCK] = KIND_READ_LOCK,
        [INSTRUCTION_WRITE_LOCK] = KIND_WRITE_LOCK,
        [INSTRUCTION_TRY_READ_LOCK] = KIND_TRY_READ_LOCK,
        [INSTRUCTION_TRY_WRITE_LOCK] = KIND_TRY_WRITE_LOCK,
        [INSTRUCTION_RELEASE] = KIND_RELEASE,
        [INSTRUCTION_BARRIER] = KIND_ARRIVE,
        [INSTRUCTION_ONCE] = KIND_ONCE,
        [INSTRUCTION_ONCE_END] = KIND_ONCE_END,
    };
    return kinds[kind];
}

/* An operation on an object or a thread whose number is known. */
static void run_synchronisation(machine *m, machine_event *e, const instruction *i,
                                uint32_t number) {
    if (machine_is_sync(i->kind)) {
        machine_run_sync(m, e, i, number);
    } else if (e->kind == KIND_SPAWN) {
        spawn(m, e, number);
    } else if (e->kind == KIND_JOIN) {
        join(m, e, number);
    } else {
        machine_run_lock(m, e, i, number);
    }
}

/* The operation itself. False: an operand is in error, and nothing was done. */
static bool run_operation(machine *m, machine_event *e, const instruction *i) {
    uint32_t number, mutex;
    int64_t value;
    switch (i->kind) {
        case INSTRUCTION_READ:
        case INSTRUCTION_WRITE:
        case INSTRUCTION_ADD:
        case INSTRUCTION_EXCHANGE:
        case INSTRUCTION_FILL:
        case INSTRUCTION_COPY:
        case INSTRUCTION_CAS: return machine_access_memory(m, e, i);
        case INSTRUCTION_SEND: return machine_send(m, e, i);
        case INSTRUCTION_RECEIVE:
        case INSTRUCTION_POLL: return machine_receive(m, e, i);
        case INSTRUCTION_CHOOSE: machine_observe(m, e, i, e->choice); return true;
        case INSTRUCTION_FENCE: return true; /* everything is ordered */
        case INSTRUCTION_AWAIT:
            if (!machine_resolve(m, e->thread, &i->cell, &number) ||
                !machine_evaluate(m, e->thread, i->a, &value)) {
                return false;
            }
            machine_note_load(e, number);
            machine_note_read(e, number);
            if (i->result != REGISTER_NONE) {
                machine_observe(m, e, i, m->cells[number]);
            }
            return true;
        case INSTRUCTION_WAIT:
        case INSTRUCTION_TIMED_WAIT:
            if (!machine_resolve(m, e->thread, &i->cell, &number) ||
                !machine_resolve(m, e->thread, &i->mutex, &mutex)) {
                return false;
            }
            machine_begin_wait(m, e, i, number, mutex);
            return true;
        default:
            if (!machine_resolve(m, e->thread, &i->cell, &number)) {
                return false;
            }
            run_synchronisation(m, e, i, number);
            return true;
    }
}

/* Everything of a step but the local code after it. True: the thread continues after it. */
static bool run_step(machine *m, machine_event *e) {
    machine_thread *thread = &m->threads[e->thread];
    const instruction *i = machine_next_instruction(m, e->thread);
    if (thread->phase == PHASE_ARRIVED) {
        machine_leave(m, e);
    } else if (thread->phase != PHASE_NONE) {
        if (!machine_continue_wait(m, e)) {
            return false;
        }
    } else if (i->kind == INSTRUCTION_ATOMIC_BEGIN) {
        machine_run_atomic(m, e);
        return thread->status == STATUS_RUNNING;
    } else if (!run_operation(m, e, i)) {
        machine_fail(m, e->thread, FAULT_MISUSE);
    }
    if (thread->status != STATUS_RUNNING || thread->phase != PHASE_NONE) {
        return false;
    }
    thread->counter++;
    return true;
}

static machine_event take_step(machine *m, uint32_t t, uint32_t choice) {
    machine_thread *thread = &m->threads[t];
    machine_event e = {.thread = t,
                       .index = thread->events,
                       .choice = choice,
                       .receiver = MACHINE_NONE,
                       .took = {MACHINE_NONE, MACHINE_NONE}};
    e.kind = kind_of(machine_next_instruction(m, t)->kind);
    e.instruction = thread->counter;
    e.plain =
        thread->phase == PHASE_NONE && races_is_plain(m->program, machine_next_instruction(m, t));
    if (e.index == 0) {
        machine_note_edge(&e, thread->spawner);
    }
    thread->events++;
    m->gave_up = ++m->steps >= MACHINE_STEPS;
    bool goes_on = run_step(m, &e);
    e.failed = thread->status == STATUS_FAILED;
    if (e.kind != KIND_ATOMIC) {
        machine_note_done(&e);
    }
    if (goes_on) {
        run_local(m, t);
    }
    return e;
}

machine_event machine_step(machine *m, uint32_t t, uint32_t choice) {
    CHECK(machine_enabled(m, t));
    if (!m->loops) {
        return take_step(m, t, choice);
    }
    machine before = *m;
    machine_event e = take_step(m, t, choice);
    machine_note_step(m, &before, t);
    return e;
}

machine_event machine_force_step(machine *m, uint32_t t) {
    return take_step(m, t, MACHINE_NONE);
}

enum machine_ending machine_ending(const machine *m) {
    bool all_spin = false;
    if (m->loops && !machine_rounds_are_real(m, &all_spin)) {
        return FINISH_ARTIFACT;
    }
    bool assumed = false, failed = false, waiting = false;
    for (uint32_t t = 0; t < m->program->threads.count; t++) {
        assumed |= m->threads[t].status == STATUS_ASSUMED;
        failed |= m->threads[t].status == STATUS_FAILED;
        waiting |= m->threads[t].status == STATUS_RUNNING;
    }
    if (assumed) {
        return FINISH_ASSUMED;
    }
    return failed || !waiting ? FINISH_COMPLETE : all_spin ? FINISH_LIVELOCK : FINISH_DEADLOCK;
}
