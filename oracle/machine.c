#include "oracle/machine.h"

#include <string.h>

#include "oracle/hash.h"
#include "oracle/machine_mail.h"
#include "oracle/machine_sync.h"
#include "oracle/races.h"

static const instruction *next_instruction(const machine *m, uint32_t t) {
    return &vector_at(&vector_at(&m->program->threads, t).code, m->threads[t].counter);
}

static bool evaluate(const machine *m, uint32_t t, uint32_t expression, int64_t *value) {
    if (expression == EXPRESSION_NONE) {
        *value = 0;
        return true;
    }
    return program_evaluate(m->program, expression, m->threads[t].registers, value);
}

/* Which cell (or thread) is meant; false: outside the array, or a division by zero. */
static bool resolve(const machine *m, uint32_t t, const place *p, uint32_t *number) {
    int64_t index = 0;
    if (p->count != 1 && !evaluate(m, t, p->index, &index)) {
        return false;
    }
    if (index < 0 || index >= p->count) {
        return false;
    }
    *number = p->first + (uint32_t)index;
    return true;
}

static void set_register(machine *m, uint32_t t, uint32_t number, int64_t value) {
    if (number != REGISTER_NONE) {
        m->threads[t].registers[number] = value;
    }
}

static void fail(machine *m, uint32_t t, enum machine_error error) {
    m->threads[t].status = STATUS_FAILED;
    m->threads[t].error = error;
}

static bool is_local(enum instruction_kind kind) {
    return kind >= INSTRUCTION_SET && kind <= INSTRUCTION_ASSERT;
}

/* One local instruction, the program counter included. */
static void run_local_instruction(machine *m, uint32_t t) {
    machine_thread *thread = &m->threads[t];
    const instruction *i = next_instruction(m, t);
    int64_t value;
    if (!evaluate(m, t, i->a, &value)) {
        fail(m, t, FAULT_MISUSE);
        return;
    }
    switch (i->kind) {
        case INSTRUCTION_SET: set_register(m, t, i->result, value); break;
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
                fail(m, t, FAULT_ASSERTION);
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
    while (thread->status == STATUS_RUNNING && is_local(next_instruction(m, t)->kind)) {
        if (!budget--) {
            m->gave_up = true;
            return;
        }
        run_local_instruction(m, t);
    }
    if (thread->status == STATUS_RUNNING && next_instruction(m, t)->kind == INSTRUCTION_END) {
        thread->status = STATUS_ENDED;
    }
}

static void start_thread(machine *m, uint32_t t, machine_edge spawner) {
    m->threads[t].status = STATUS_RUNNING;
    m->threads[t].spawner = spawner;
    run_local(m, t);
}

bool machine_init(machine *m, const program *p, bool fine) {
    *m = (machine){.program = p, .fine = fine};
    if (p->threads.count > MACHINE_THREADS || p->cells.count > MACHINE_CELLS) {
        return false;
    }
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
            machine_pattern_is_long(&vector_at(&p->threads, t))) {
            return false;
        }
        if (vector_at(&p->threads, t).starts) {
            start_thread(m, t, (machine_edge){MACHINE_NONE, MACHINE_NONE});
        }
    }
    return !m->gave_up;
}

static bool must_relock(const machine_thread *thread) {
    return thread->woken || thread->timed_out || !thread->timed;
}

static bool await_holds(const machine *m, uint32_t t, const instruction *i) {
    uint32_t cell;
    int64_t wanted, holds;
    if (!resolve(m, t, &i->cell, &cell) || !evaluate(m, t, i->a, &wanted)) {
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
    const machine_thread *thread = &m->threads[t];
    if (thread->status != STATUS_RUNNING || m->gave_up) {
        return false;
    }
    if (thread->phase == PHASE_ARRIVED) {
        return machine_may_leave(m, t);
    }
    if (thread->phase == PHASE_UNLOCKED && must_relock(thread)) {
        return (thread->woken || thread->timed_out) && m->owners[thread->mutex] == MACHINE_NONE;
    }
    if (thread->phase != PHASE_NONE) {
        return true;
    }
    const instruction *i = next_instruction(m, t);
    uint32_t number;
    switch (i->kind) {
        case INSTRUCTION_LOCK:
            return !resolve(m, t, &i->cell, &number) || m->owners[number] == MACHINE_NONE;
        case INSTRUCTION_JOIN:
            return !resolve(m, t, &i->cell, &number) || m->threads[number].status == STATUS_ENDED;
        case INSTRUCTION_AWAIT: return await_holds(m, t, i);
        case INSTRUCTION_RECEIVE: return can_receive(m, t, i);
        default:
            return !machine_is_sync(i->kind) || !resolve(m, t, &i->cell, &number) ||
                   machine_sync_enabled(m, t, i->kind, number);
    }
}

static void note_write(machine_event *e, uint32_t cell) {
    cells_add(&e->writes, cell);
    cells_remove(&e->reads, cell);
}

static void note_read(machine_event *e, uint32_t cell) {
    if (!cells_have(&e->writes, cell)) {
        cells_add(&e->reads, cell);
    }
}

static void note_load(machine_event *e, uint32_t cell) {
    if (!cells_have(&e->writes, cell)) {
        cells_add(&e->loads, cell);
    }
}

static void note_edge(machine_event *e, machine_edge edge) {
    if (edge.thread != MACHINE_NONE) {
        CHECK(e->edge_count < MACHINE_THREADS + 1);
        e->edges[e->edge_count++] = edge;
    }
}

/* A single operation shows its value as it is; an atomic section the hash of all of them. */
static void note_value(machine_event *e, int64_t value) {
    e->value =
        e->kind == KIND_ATOMIC ? hash_mix(e->value + hash_mix((uint64_t)value)) : (uint64_t)value;
}

static void observe(machine *m, machine_event *e, const instruction *i, int64_t value) {
    set_register(m, e->thread, i->result, value);
    note_value(e, value);
}

/* All cells of a range get one value, or what those of another range hold. */
static bool access_range(machine *m, machine_event *e, const instruction *i) {
    int64_t values[MACHINE_CELLS], a;
    if (!evaluate(m, e->thread, i->a, &a)) {
        return false;
    }
    for (uint32_t k = 0; k < i->length; k++) {
        values[k] = i->kind == INSTRUCTION_COPY ? m->cells[i->source + k] : a;
        if (i->kind == INSTRUCTION_COPY) {
            note_load(e, i->source + k);
            note_read(e, i->source + k);
        }
    }
    for (uint32_t k = 0; k < i->length; k++) {
        note_write(e, i->cell.first + k);
        m->cells[i->cell.first + k] = values[k];
    }
    return true;
}

/* Read, write, fetch-add, exchange, compare-and-swap, ranges, alone or inside an atomic section.
 * False, and nothing done, if an operand is in error. */
static bool access_memory(machine *m, machine_event *e, const instruction *i) {
    if (i->kind == INSTRUCTION_FILL || i->kind == INSTRUCTION_COPY) {
        return access_range(m, e, i);
    }
    uint32_t cell;
    int64_t a, b;
    if (!resolve(m, e->thread, &i->cell, &cell) || !evaluate(m, e->thread, i->a, &a) ||
        !evaluate(m, e->thread, i->b, &b)) {
        return false;
    }
    int64_t old = m->cells[cell];
    bool swaps = i->kind == INSTRUCTION_CAS && old == a;
    if (i->kind != INSTRUCTION_WRITE) {
        note_load(e, cell);
    }
    if (i->kind == INSTRUCTION_READ || (i->kind == INSTRUCTION_CAS && !swaps)) {
        note_read(e, cell);
    } else {
        note_write(e, cell);
    }
    switch (i->kind) {
        case INSTRUCTION_READ: observe(m, e, i, old); break;
        case INSTRUCTION_WRITE: m->cells[cell] = a; break;
        case INSTRUCTION_ADD:
            observe(m, e, i, old);
            m->cells[cell] = (int64_t)((uint64_t)old + (uint64_t)a);
            break;
        case INSTRUCTION_EXCHANGE:
            observe(m, e, i, old);
            m->cells[cell] = a;
            break;
        case INSTRUCTION_CAS:
            observe(m, e, i, swaps);
            if (swaps) {
                m->cells[cell] = b;
            }
            break;
        default: CHECK(false);
    }
    return true;
}

/* A choice inside an atomic section: the alternative of the section, as a number whose digits are
 * its choices, the first one being the lowest. */
static void choose_inside(machine *m, machine_event *e, const instruction *i) {
    int64_t count;
    CHECK(evaluate(m, e->thread, i->a, &count) && count > 0);
    observe(m, e, i, (int64_t)(m->choice_left % (uint64_t)count));
    m->choice_left /= (uint64_t)count;
    m->choice_factor *= (uint64_t)count;
    m->gave_up |= m->choice_factor > MACHINE_CELLS;
}

/* From after ATOMIC_BEGIN to after ATOMIC_END, or to where the thread was stopped. */
static void run_section(machine *m, machine_event *e) {
    machine_thread *thread = &m->threads[e->thread];
    uint32_t budget = MACHINE_LOCAL_STEPS;
    m->choice_left = e->choice == MACHINE_NONE ? 0 : e->choice;
    m->choice_factor = 1;
    thread->counter++;
    while (thread->status == STATUS_RUNNING) {
        const instruction *i = next_instruction(m, e->thread);
        if (!budget-- || m->gave_up) {
            m->gave_up = true;
            return;
        }
        if (i->kind == INSTRUCTION_ATOMIC_END) {
            thread->counter++;
            return;
        }
        if (is_local(i->kind)) {
            run_local_instruction(m, e->thread);
        } else if (i->kind == INSTRUCTION_CHOOSE) {
            choose_inside(m, e, i);
            thread->counter++;
        } else if (access_memory(m, e, i)) {
            thread->counter++;
        } else {
            fail(m, e->thread, FAULT_MISUSE);
        }
    }
}

/* What the section at which the thread stands would do with this alternative. False: it has no such
 * alternative, because its choices leave something of the number. */
static bool try_section(const machine *m, uint32_t t, uint32_t choice, machine_event *e,
                        uint64_t *factor) {
    machine copy = *m;
    *e = (machine_event){.thread = t, .kind = KIND_ATOMIC, .choice = choice};
    run_section(&copy, e);
    *factor = copy.choice_factor;
    return !copy.gave_up && copy.choice_left == 0;
}

/* All alternatives of a section: numbers below the largest product of choices that is met. */
static uint32_t section_alternatives(const machine *m, uint32_t t, uint32_t *choices) {
    uint64_t factor, end = 1;
    uint32_t count = 0;
    for (uint32_t choice = 0; choice < end && choice < MACHINE_CELLS; choice++) {
        machine_event e;
        bool has = try_section(m, t, choice, &e, &factor);
        end = factor > end ? factor : end;
        if (has && end > 1) {
            choices[count++] = choice;
        }
    }
    return count;
}

static void unite(cell_set *set, const cell_set *more) {
    for (uint32_t i = 0; i < CELL_WORDS; i++) {
        set->words[i] |= more->words[i];
    }
}

static void note_done(machine_event *e) {
    e->did_read = e->reads;
    e->did_write = e->writes;
    e->did_load = e->loads;
}

/* What a section with alternatives depends on does not depend on which of them is taken. */
static void run_atomic(machine *m, machine_event *e) {
    uint32_t choices[MACHINE_CELLS], count = section_alternatives(m, e->thread, choices);
    cell_set reads = {0}, writes = {0}, loads = {0};
    for (uint32_t i = 0; i < count; i++) {
        machine_event other;
        uint64_t factor;
        CHECK(try_section(m, e->thread, choices[i], &other, &factor));
        unite(&reads, &other.reads);
        unite(&writes, &other.writes);
        unite(&loads, &other.loads);
    }
    run_section(m, e);
    note_done(e);
    if (count > 1) {
        unite(&loads, &writes);
        e->reads = cells_without(reads, &writes);
        e->writes = writes;
        e->loads = loads;
    }
}

uint32_t machine_alternatives(const machine *m, uint32_t t, uint32_t *choices) {
    uint32_t count = 0;
    const instruction *i = next_instruction(m, t);
    int64_t values = 0;
    uint32_t condition;
    if (m->threads[t].phase == PHASE_NONE && i->kind == INSTRUCTION_CHOOSE &&
        evaluate(m, t, i->a, &values)) {
        for (; count < values && count < MACHINE_CELLS; count++) {
            choices[count] = count;
        }
    }
    if (m->threads[t].phase == PHASE_NONE && i->kind == INSTRUCTION_SIGNAL &&
        resolve(m, t, &i->cell, &condition)) {
        for (uint32_t other = 0; other < m->program->threads.count; other++) {
            if (m->threads[other].present && m->threads[other].condition == condition) {
                choices[count++] = other;
            }
        }
    }
    if (m->threads[t].phase == PHASE_NONE && i->kind == INSTRUCTION_ATOMIC_BEGIN) {
        count = section_alternatives(m, t, choices);
    }
    if (!count) {
        choices[count++] = MACHINE_NONE;
    }
    return count;
}

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

/* The steps of a wait after the first: unlock, perhaps time-out, lock again. True: it is over. */
static bool continue_wait(machine *m, machine_event *e) {
    machine_thread *thread = &m->threads[e->thread];
    const instruction *i = next_instruction(m, e->thread);
    if (thread->phase == PHASE_ENQUEUED) {
        e->kind = KIND_WAIT_UNLOCK;
        note_write(e, thread->mutex);
        m->owners[thread->mutex] = MACHINE_NONE;
        thread->phase = PHASE_UNLOCKED;
        return false;
    }
    if (!must_relock(thread)) {
        e->kind = KIND_TIMEOUT;
        note_write(e, thread->condition);
        thread->present = false;
        thread->timed_out = true;
        return false;
    }
    e->kind = KIND_RELOCK;
    note_write(e, thread->mutex);
    if (thread->woken) {
        note_edge(e, thread->waker);
    }
    if (m->destroyed[thread->mutex]) {
        fail(m, e->thread, FAULT_MISUSE);
        return false;
    }
    m->owners[thread->mutex] = e->thread;
    if (thread->timed) {
        observe(m, e, i, thread->timed_out);
    }
    thread->phase = PHASE_NONE;
    thread->woken = thread->timed_out = thread->timed = false;
    return true;
}

static void begin_wait(machine *m, machine_event *e, const instruction *i, uint32_t condition,
                       uint32_t mutex) {
    machine_thread *thread = &m->threads[e->thread];
    note_write(e, condition);
    if (m->owners[mutex] != e->thread || m->destroyed[condition]) {
        fail(m, e->thread, FAULT_MISUSE);
        return;
    }
    thread->phase = PHASE_ENQUEUED;
    thread->condition = condition;
    thread->mutex = mutex;
    thread->present = true;
    thread->timed = i->kind == INSTRUCTION_TIMED_WAIT;
}

static void spawn(machine *m, machine_event *e, uint32_t child) {
    if (m->threads[child].status != STATUS_ABSENT) {
        fail(m, e->thread, FAULT_MISUSE);
        return;
    }
    start_thread(m, child, (machine_edge){e->thread, e->index});
}

static void join(machine *m, machine_event *e, uint32_t child) {
    const machine_thread *thread = &m->threads[child];
    note_edge(e, thread->spawner);
    if (thread->events) {
        note_edge(e, (machine_edge){child, thread->events - 1});
    }
}

static bool send(machine *m, machine_event *e, const instruction *i) {
    int64_t value;
    uint32_t receiver;
    if (!resolve(m, e->thread, &i->cell, &receiver) || !evaluate(m, e->thread, i->a, &e->tag) ||
        !evaluate(m, e->thread, i->b, &value)) {
        return false;
    }
    e->receiver = receiver;
    machine_put_message(m, e, value);
    return true;
}

static bool receive(machine *m, machine_event *e, const instruction *i) {
    if (!machine_find_pattern(m, e->thread, i, &e->pattern) ||
        !evaluate(m, e->thread, i->a, &e->tag)) {
        return false;
    }
    uint32_t at = machine_find_message(m, e->thread, &e->pattern);
    if (at != MACHINE_NONE) {
        machine_take_message(m, e, i, &m->messages[at]);
        note_edge(e, e->took);
    } else {
        e->missed = true;
        set_register(m, e->thread, i->result, e->tag); /* which notations differ in */
    }
    return true;
}

static bool has_waiter(const machine *m, uint32_t condition) {
    for (uint32_t t = 0; t < m->program->threads.count; t++) {
        if (m->threads[t].present && m->threads[t].condition == condition) {
            return true;
        }
    }
    return false;
}

/* Both need a mutex that nobody holds, or a condition that nobody waits for. */
static void change(machine *m, machine_event *e, uint32_t number) {
    bool mutex = vector_at(&m->program->cells, number).kind == CELL_MUTEX;
    bool used = mutex ? m->owners[number] != MACHINE_NONE : has_waiter(m, number);
    if (used || (e->kind == KIND_DESTROY && m->destroyed[number])) {
        fail(m, e->thread, FAULT_MISUSE);
    } else {
        m->destroyed[number] = e->kind == KIND_DESTROY;
    }
}

/* What was destroyed can only be initialised; an unlock of it is in error for another reason. */
static bool is_unusable(const machine *m, const machine_event *e, uint32_t number) {
    return m->destroyed[number] && (e->kind == KIND_LOCK || e->kind == KIND_TRYLOCK ||
                                    e->kind == KIND_SIGNAL || e->kind == KIND_BROADCAST);
}

/* An operation on a mutex, a condition or a thread whose number is known. */
static void run_synchronisation(machine *m, machine_event *e, const instruction *i,
                                uint32_t number) {
    bool free = i->kind == INSTRUCTION_TRYLOCK && m->owners[number] == MACHINE_NONE;
    if (e->kind >= KIND_LOCK && e->kind <= KIND_BROADCAST) {
        note_write(e, number);
        if (is_unusable(m, e, number)) {
            fail(m, e->thread, FAULT_MISUSE);
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
                fail(m, e->thread, FAULT_MISUSE);
            }
            break;
        case KIND_TRYLOCK:
            m->owners[number] = free ? e->thread : m->owners[number];
            observe(m, e, i, free);
            break;
        case KIND_SIGNAL:
            if (e->choice != MACHINE_NONE) {
                wake(m, e, e->choice);
            }
            break;
        case KIND_BROADCAST: wake_all(m, e, number); break;
        case KIND_SPAWN: spawn(m, e, number); break;
        case KIND_JOIN: join(m, e, number); break;
        default: CHECK(false);
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
        case INSTRUCTION_CAS: return access_memory(m, e, i);
        case INSTRUCTION_SEND: return send(m, e, i);
        case INSTRUCTION_RECEIVE:
        case INSTRUCTION_POLL: return receive(m, e, i);
        case INSTRUCTION_CHOOSE: observe(m, e, i, e->choice); return true;
        case INSTRUCTION_AWAIT:
            if (!resolve(m, e->thread, &i->cell, &number) ||
                !evaluate(m, e->thread, i->a, &value)) {
                return false;
            }
            note_load(e, number);
            note_read(e, number);
            if (i->result != REGISTER_NONE) {
                observe(m, e, i, m->cells[number]);
            }
            return true;
        case INSTRUCTION_WAIT:
        case INSTRUCTION_TIMED_WAIT:
            if (!resolve(m, e->thread, &i->cell, &number) ||
                !resolve(m, e->thread, &i->mutex, &mutex)) {
                return false;
            }
            begin_wait(m, e, i, number, mutex);
            return true;
        default:
            if (!resolve(m, e->thread, &i->cell, &number)) {
                return false;
            }
            if (machine_is_sync(i->kind)) {
                machine_run_sync(m, e, i, number);
            } else {
                run_synchronisation(m, e, i, number);
            }
            return true;
    }
}

/* Everything of a step but the local code after it. True: the thread goes on after it. */
static bool run_step(machine *m, machine_event *e) {
    machine_thread *thread = &m->threads[e->thread];
    const instruction *i = next_instruction(m, e->thread);
    if (thread->phase == PHASE_ARRIVED) {
        machine_leave(m, e);
    } else if (thread->phase != PHASE_NONE) {
        if (!continue_wait(m, e)) {
            return false;
        }
    } else if (i->kind == INSTRUCTION_ATOMIC_BEGIN) {
        run_atomic(m, e);
        return thread->status == STATUS_RUNNING;
    } else if (!run_operation(m, e, i)) {
        fail(m, e->thread, FAULT_MISUSE);
    }
    if (thread->status != STATUS_RUNNING || thread->phase != PHASE_NONE) {
        return false;
    }
    thread->counter++;
    return true;
}

machine_event machine_step(machine *m, uint32_t t, uint32_t choice) {
    machine_thread *thread = &m->threads[t];
    CHECK(machine_enabled(m, t));
    machine_event e = {.thread = t,
                       .index = thread->events,
                       .choice = choice,
                       .receiver = MACHINE_NONE,
                       .took = {MACHINE_NONE, MACHINE_NONE}};
    e.kind = kind_of(next_instruction(m, t)->kind);
    e.instruction = thread->counter;
    e.plain = thread->phase == PHASE_NONE && races_is_plain(m->program, next_instruction(m, t));
    if (e.index == 0) {
        note_edge(&e, thread->spawner);
    }
    thread->events++;
    m->gave_up = ++m->steps >= MACHINE_STEPS;
    bool goes_on = run_step(m, &e);
    e.failed = thread->status == STATUS_FAILED;
    if (e.kind != KIND_ATOMIC) {
        note_done(&e);
    }
    if (goes_on) {
        run_local(m, t);
    }
    return e;
}

enum machine_ending machine_ending(const machine *m) {
    bool assumed = false, failed = false, waiting = false;
    for (uint32_t t = 0; t < m->program->threads.count; t++) {
        assumed |= m->threads[t].status == STATUS_ASSUMED;
        failed |= m->threads[t].status == STATUS_FAILED;
        waiting |= m->threads[t].status == STATUS_RUNNING;
    }
    return assumed ? FINISH_ASSUMED : waiting && !failed ? FINISH_DEADLOCK : FINISH_COMPLETE;
}
