/* Spin loops: rounds of a thread that change nothing.
 *
 * A thread that returns to a local state that it had since it last changed anything has executed a
 * round without effect, and may do so forever. The step that would close such a round is therefore
 * disabled: the thread waits before it until another one changes what it reads. It is an await
 * whose condition is only known by trying. docs/ALGORITHMS.md explains why nothing is lost.
 *
 * Local states are kept since the latest step that had an effect: the first SPIN_RECORDS of them
 * and, of later ones, that of the latest power of two (Brent), so that longer rounds are found as
 * well. They lie in the block of state and go back with it. Where a step was found to close a round
 * is learnt for good: there it races as something that may block, and so the exploration starts
 * over whenever such a place is new.
 *
 * A mutex that is locked, under which plain variables are read, and that is unlocked is one void
 * step: the lock waits. Not if somebody tries to lock it, who could see that it was held.
 *
 * Attempts to take a semaphore or a read-write lock are void if they fail, where versions are kept:
 * otherwise what they race with is not known of a step that blocks. */
#include <string.h>

#include "base/limit.h"
#include "targets/abstract/interpreter_state.h"

static bool can_spin(const interpreter *m, uint32_t t) {
    return m->first_record[t + 1] > m->first_record[t];
}

/* ---- local states ---- */

/* A local state: where the thread stands, then its registers. */
static int64_t *record_at(interpreter *m, uint32_t t, uint32_t i) {
    uint32_t size = vector_at(&m->program->threads, t).register_count + 1;
    return m->records + m->first_record[t] + i * size;
}

static void write_record(interpreter *m, uint32_t t, int64_t *record) {
    uint32_t count = vector_at(&m->program->threads, t).register_count;
    record[0] = m->threads[t].pc;
    memcpy(record + 1, model_registers(m, t), count * sizeof *record);
}

/* The thread is in that state, except for temporaries that are not read again. */
static bool is_in(interpreter *m, uint32_t t, const int64_t *record) {
    const model_thread *thread = &vector_at(&m->program->threads, t);
    uint32_t pc = m->threads[t].pc, named = vector_at(&thread->code, pc).named;
    if (record[0] != (int64_t)pc) {
        return false;
    }
    const bool *live = liveness_at(&m->liveness, m->program, t, pc);
    const int64_t *now = model_registers(m, t);
    for (uint32_t i = 0; i < thread->register_count; i++) {
        if ((i < named || live[i]) && now[i] != record[i + 1]) {
            return false;
        }
    }
    return true;
}

static bool was_here(interpreter *m, uint32_t t) {
    for (uint32_t i = 0; i < m->threads[t].spin_count; i++) {
        if (is_in(m, t, record_at(m, t, i))) {
            return true;
        }
    }
    return false;
}

static void forget(thread_state *thread) {
    thread->spin_count = thread->spin_since = 0;
    thread->spin_mutex = 0;
    thread->spin_rounds = 0;
}

static void keep(interpreter *m, uint32_t t) {
    thread_state *thread = &m->threads[t];
    if (thread->status != THREAD_RUNS || !m->in_loop[m->first_location[t] + thread->pc]) {
        return;
    }
    uint32_t since = thread->spin_since++;
    if (since < SPIN_RECORDS) {
        write_record(m, t, record_at(m, t, since));
        thread->spin_count = since + 1;
    } else if ((since & (since - 1)) == 0) {
        write_record(m, t, record_at(m, t, SPIN_RECORDS - 1));
    }
}

/* ---- trying ---- */

/* What the operation would return, if it has no effect now. */
static bool find_void_result(const interpreter *m, const instruction *in, uint32_t cell, int64_t a,
                             int64_t b, int64_t *result) {
    int64_t value = m->cells[cell], holds;
    *result = value;
    switch (in->kind) {
        case INSTRUCTION_READ: return true;
        case INSTRUCTION_AWAIT: return expression_apply(in->compare, value, a, &holds) && holds;
        case INSTRUCTION_ADD: return a == 0;
        case INSTRUCTION_EXCHANGE: return value == a;
        case INSTRUCTION_CAS: *result = value == a; return value != a || a == b;
        case INSTRUCTION_TRYLOCK: *result = 0; return value > 0;
        case INSTRUCTION_LOCK: return value == 0 && !m->tried[cell];
        case INSTRUCTION_SEMAPHORE_TRY: *result = 0; return m->keeps_versions && value <= 0;
        case INSTRUCTION_TRY_READ_LOCK: *result = 0; return m->keeps_versions && value < 0;
        case INSTRUCTION_TRY_WRITE_LOCK: *result = 0; return m->keeps_versions && value != 0;
        default: return false;
    }
}

/* The operation itself, if it has no effect. */
static bool try_operation(interpreter *m, uint32_t t, const instruction *in, uint32_t *mutex) {
    uint32_t cell;
    int64_t a, b, result;
    if (!model_resolve(m, t, &in->cell, &cell) || !model_evaluate(m, t, in->a, &a) ||
        !model_evaluate(m, t, in->b, &b) || !find_void_result(m, in, cell, a, b, &result)) {
        return false;
    }
    *mutex = in->kind == INSTRUCTION_LOCK ? cell + 1 : 0;
    model_set_result(m, t, in, result);
    m->threads[t].pc++;
    return true;
}

/* A mutex (+ 1) that the thread holds all the time while it goes round. */
static uint32_t find_held(const interpreter *m, uint32_t t) {
    for (uint32_t i = 0; i < m->program->cells.count; i++) {
        if (vector_at(&m->program->cells, i).kind == CELL_MUTEX && model_owns(m, t, i)) {
            return i + 1;
        }
    }
    return 0;
}

/* A plain access in passing: reads only. */
static bool try_passing(interpreter *m, uint32_t t, const instruction *in, uint32_t mutex) {
    uint32_t cell;
    if (in->kind != INSTRUCTION_READ || in->length || !model_resolve(m, t, &in->cell, &cell)) {
        return false;
    }
    vector_push(&m->spin_reads, (spin_read){t, cell, mutex ? mutex : find_held(m, t)});
    model_set_result(m, t, in, m->cells[cell]);
    m->threads[t].pc++;
    return true;
}

static bool try_unlock(interpreter *m, uint32_t t, const instruction *in, uint32_t *mutex) {
    uint32_t cell;
    if (in->kind != INSTRUCTION_UNLOCK || !model_resolve(m, t, &in->cell, &cell) ||
        cell + 1 != *mutex) {
        return false;
    }
    *mutex = 0;
    m->threads[t].pc++;
    return true;
}

/* From the operation to the end of the step, on registers only, and of the section, if the thread
 * holds the mutex (+ 1); false: that has an effect, or there is no next step. */
static bool try_rest(interpreter *m, uint32_t t, uint32_t mutex) {
    for (uint32_t n = 0; n < LOOP_FREE_STEPS; n++) {
        const instruction *in = model_current(m, t);
        bool goes_on;
        if (in->kind == INSTRUCTION_END) {
            return false;
        }
        if (model_is_local(in->kind)) {
            goes_on = model_run_local(m, t, in);
        } else if (model_is_passing(m, t, in)) {
            goes_on = try_passing(m, t, in, mutex);
        } else if (mutex) {
            goes_on = try_unlock(m, t, in, &mutex);
        } else {
            return true;
        }
        if (!goes_on) {
            return false;
        }
    }
    return false;
}

static bool try_step(interpreter *m, uint32_t t) {
    uint32_t mutex = 0;
    if (model_current(m, t)->kind == INSTRUCTION_FENCE) {
        m->threads[t].pc++;
        return try_rest(m, t, 0);
    }
    return m->threads[t].phase == WAIT_NOT && try_operation(m, t, model_current(m, t), &mutex) &&
           try_rest(m, t, mutex);
}

/* What trying changes. */
static void save(interpreter *m, uint32_t t) {
    uint32_t count = vector_at(&m->program->threads, t).register_count;
    vector_resize(&m->spin_saved, count + 1);
    write_record(m, t, m->spin_saved.items);
    m->spin_failures = m->failures.count;
    vector_clear(&m->spin_reads);
}

static void restore(interpreter *m, uint32_t t) {
    uint32_t count = vector_at(&m->program->threads, t).register_count;
    memcpy(model_registers(m, t), m->spin_saved.items + 1, count * sizeof(int64_t));
    m->threads[t].pc = (uint32_t)vector_at(&m->spin_saved, 0);
    m->threads[t].status = THREAD_RUNS;
    m->failures.count = m->spin_failures;
}

/* ---- after a step ---- */

/* Others can see no difference that the step made. */
static bool was_void(const interpreter *m, const thread_state *thread, const spin_step *s) {
    switch (s->kind) {
        case OPERATION_READ:
        case OPERATION_AWAIT:
        case OPERATION_FENCE:
        case OPERATION_PAUSE: return true;
        case OPERATION_ADD:
        case OPERATION_EXCHANGE:
        case OPERATION_CAS: return s->after == s->before;
        case OPERATION_TRYLOCK: return !s->acquired;
        case OPERATION_SEMAPHORE_TRY:
        case OPERATION_TRY_READ_LOCK:
        case OPERATION_TRY_WRITE_LOCK: return m->keeps_versions && s->after == s->before;
        case OPERATION_UNLOCK: return thread->spin_mutex == s->cell + 1;
        default: return false;
    }
}

/* All that the thread does before it unlocks the mutex that it has just locked is to read. */
static bool begins_section(interpreter *m, uint32_t t, uint32_t mutex) {
    if (m->tried[mutex] || m->threads[t].status != THREAD_RUNS || m->threads[t].spin_mutex) {
        return false;
    }
    save(m, t);
    bool begins = try_rest(m, t, mutex + 1);
    restore(m, t);
    return begins;
}

static void note_step(interpreter *m, uint32_t t, const spin_step *s) {
    thread_state *thread = &m->threads[t];
    if (!can_spin(m, t)) {
        return;
    }
    bool began = s->kind == OPERATION_LOCK && begins_section(m, t, s->cell);
    bool ended = s->kind == OPERATION_UNLOCK && thread->spin_mutex == s->cell + 1;
    bool passing = s->passing && s->kind == OPERATION_READ;
    bool inside = thread->spin_mutex && !ended && !passing;
    if (m->spin_wrote || inside || !(began || was_void(m, thread, s))) {
        forget(thread);
    } else if (began) {
        thread->spin_mutex = s->cell + 1;
    } else if (ended) {
        thread->spin_mutex = 0;
    }
    thread->spin_cached = false;
    if (!thread->spin_mutex && !(thread->operation.flags & OPERATION_PASSING)) {
        if (m->spin_once && was_here(m, t)) {
            thread->spin_rounds++;
        }
        keep(m, t);
    }
}

void model_note_start(interpreter *m, uint32_t t) {
    if (can_spin(m, t)) {
        forget(&m->threads[t]);
        keep(m, t);
    }
}

/* ---- what is learnt ---- */

static void learn(interpreter *m, const thread_state *thread) {
    uint32_t location = thread->operation.location;
    bool memory = vector_at(&m->program->cells, thread->cell).kind == CELL_VARIABLE;
    if (!m->spins[location] || (memory && !m->awaited[thread->cell])) {
        m->spins[location] = m->base.spins = m->base.stale = true;
        m->awaited[thread->cell] |= memory;
    }
    for (uint32_t i = 0; i < m->spin_reads.count; i++) {
        m->base.stale |= model_add_void_read(m, vector_at(&m->spin_reads, i));
    }
}

/* The thread has not been created, and only the other one can create it. */
static bool is_yet_to_be_created(const interpreter *m, uint32_t t, uint32_t by) {
    bool exists =
        vector_at(&m->program->threads, t).starts || m->threads[t].status != THREAD_UNBORN;
    for (uint32_t i = 0; i < m->program->threads.count && !exists; i++) {
        const model_thread *other = &vector_at(&m->program->threads, i);
        for (uint32_t k = 0; k < other->code.count; k++) {
            const instruction *in = &vector_at(&other->code, k);
            bool creates = in->kind == INSTRUCTION_SPAWN && t >= in->cell.first &&
                           t - in->cell.first < in->cell.count;
            exists |= creates && i != by;
        }
    }
    return !exists;
}

/* Plain reads of rounds that are left out are no part of any execution, and neither are their
 * races. If there may be one, because somebody writes the variable without the mutex that the
 * thread holds, every thread executes one round before it waits. */
void model_note_write(interpreter *m, uint32_t t, uint32_t cell) {
    for (uint32_t i = 0; i < m->void_reads.count && !m->spin_once; i++) {
        spin_read r = vector_at(&m->void_reads, i);
        if (r.cell == cell && r.thread != t && !is_yet_to_be_created(m, r.thread, t) &&
            !(r.mutex && model_owns(m, t, r.mutex - 1))) {
            m->spin_once = m->base.stale = true;
        }
    }
}

/* ---- the pending operation ---- */

static bool closes_round(interpreter *m, uint32_t t) {
    save(m, t);
    bool closes = try_step(m, t) && was_here(m, t);
    restore(m, t);
    return closes;
}

/* Without plain reads that have to be seen to race first. */
static bool waits(const interpreter *m, const thread_state *thread) {
    return !(m->spin_once && m->spin_reads.count && !thread->spin_rounds);
}

static bool opens(interpreter *m, uint32_t t, int64_t value) {
    const thread_state *thread = &m->threads[t];
    const operation *op = &thread->operation;
    int64_t held = m->cells[thread->cell];
    m->cells[thread->cell] = value;
    bool possible = op->kind == OPERATION_LOCK ? value == 0
                    : op->kind == OPERATION_AWAIT
                        ? operation_compare_holds(op->compare, (uint64_t)value, op->expected)
                        : true;
    bool closes = closes_round(m, t) && waits(m, thread);
    m->cells[thread->cell] = held;
    return possible && !closes;
}

static bool is_candidate(const interpreter *m, uint32_t t) {
    const thread_state *thread = &m->threads[t];
    enum instruction_kind kind = model_current(m, t)->kind;
    bool tries = m->keeps_versions && model_may_fail(kind);
    return thread->spin_count && !thread->broken && thread->phase == WAIT_NOT &&
           !(thread->operation.flags & OPERATION_PASSING) && (model_may_be_void(kind) || tries) &&
           thread->operation.kind != OPERATION_PAUSE && !thread->fences;
}

static void refresh(interpreter *m, uint32_t t) {
    thread_state *thread = &m->threads[t];
    operation *op = &thread->operation;
    if (!is_candidate(m, t)) {
        return;
    }
    bool blocks = op->kind == OPERATION_LOCK || op->kind == OPERATION_AWAIT;
    bool enabled = !blocks || operation_enabled(op);
    thread->spin_closes = thread->spin_closes && enabled; /* else something else holds it up */
    thread->spin_cached = thread->spin_cached && enabled;
    if (enabled &&
        (blocks || !thread->spin_cached || thread->spin_value != m->cells[thread->cell])) {
        thread->spin_closes = closes_round(m, t);
        thread->spin_cached = !m->spin_reads.count;
        thread->spin_value = m->cells[thread->cell];
        if (thread->spin_closes && !waits(m, thread)) {
            thread->spin_closes = false;
        } else if (thread->spin_closes) {
            learn(m, thread);
        }
    }
    if (m->spins[op->location]) {
        op->flags |= OPERATION_VARIES | OPERATION_BLOCKS | OPERATION_SPINS;
        op->flags &= (uint8_t)~OPERATION_ACQUIRES;
    }
    model_set_enabled(op, enabled && !thread->spin_closes);
}

/* ---- the same with versions ---- */

bool model_may_spin(const interpreter *m, uint32_t t) {
    return is_candidate(m, t);
}

bool model_waits(target *target, uint32_t t, uint64_t old) {
    interpreter *m = (interpreter *)target;
    uint32_t cell = m->threads[t].cell;
    int64_t latest = m->cells[cell];
    if (!is_candidate(m, t)) {
        return false;
    }
    m->cells[cell] = (int64_t)old;
    bool closes = closes_round(m, t) && waits(m, &m->threads[t]);
    m->cells[cell] = latest;
    if (closes && m->spin_reads.count) {
        learn(m, &m->threads[t]);
        m->base.stale |= !m->base.polls;
        m->base.polls = true;
    }
    return closes;
}

/* ---- stuck threads ---- */

/* Runs the thread alone. True: it repeats the loop forever. After many steps that is unknown. */
static bool goes_round(interpreter *m, uint32_t t) {
    uint32_t size = vector_at(&m->program->threads, t).register_count + 1;
    bool round = false;
    save(m, t);
    vector_resize(&m->round_kept, size);
    write_record(m, t, m->round_kept.items);
    for (uint64_t n = 1, most = limit_most(LIMIT_ROUNDS); !round && try_step(m, t); n++) {
        if (n > most) {
            limit_reached(LIMIT_ROUNDS);
            break;
        }
        round = is_in(m, t, m->spin_saved.items) || is_in(m, t, m->round_kept.items);
        if ((n & (n - 1)) == 0) {
            write_record(m, t, m->round_kept.items);
        }
    }
    restore(m, t);
    return round;
}

static enum target_ending judge(interpreter *m) {
    bool spin = false, others = false;
    for (uint32_t t = 0; t < m->program->threads.count; t++) {
        const thread_state *thread = &m->threads[t];
        if (thread->status != THREAD_RUNS) {
            continue;
        }
        bool spins =
            is_candidate(m, t) &&
            (m->keeps_versions ? closes_round(m, t)
                               : m->spins[thread->operation.location] && thread->spin_closes);
        if (spins && !goes_round(m, t)) {
            return ENDING_ARTIFACT;
        }
        spin |= spins;
        others |= !spins;
    }
    return spin && !others ? ENDING_LIVELOCK : ENDING_DEADLOCK;
}

const spin_rule interpreter_spins = {
    .note_step = note_step, .refresh = refresh, .opens = opens, .judge = judge};
