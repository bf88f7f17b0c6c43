/* Spin loops: rounds of a thread that change nothing.
 *
 * A thread that comes back to a local state that it had since it last changed anything has gone
 * round without effect, and may do so forever. The step that would close such a round is therefore
 * disabled: the thread waits before it until somebody changes what it reads. It is an await whose
 * condition is known only by trying. docs/ALGORITHMS.md says why nothing is lost.
 *
 * Local states are kept since the latest step that had an effect: the first SPIN_RECORDS of them
 * and, of later ones, that of the latest power of two (Brent), so that longer rounds are found as
 * well. They lie in the block of state and go back with it. Where a step was found to close a round
 * is learnt for good: there it races as something that may block, and so the exploration starts
 * over whenever such a place is new.
 *
 * A mutex that is locked, under which plain variables are read, and that is unlocked is one void
 * step: the lock waits. Not if somebody tries to lock it, who could see that it was held. */
#include <string.h>

#include "base/limit.h"
#include "targets/abstract/interpreter_state.h"

/* ---- what is known of the program beforehand ---- */

static bool may_be_void(enum instruction_kind kind) {
    return kind == INSTRUCTION_READ || kind == INSTRUCTION_ADD || kind == INSTRUCTION_EXCHANGE ||
           kind == INSTRUCTION_CAS || kind == INSTRUCTION_AWAIT || kind == INSTRUCTION_TRYLOCK ||
           kind == INSTRUCTION_LOCK;
}

static bool is_register(const program *p, uint32_t e, uint32_t number) {
    const expression *of = &vector_at(&p->expressions, e);
    return of->kind == EXPRESSION_REGISTER && of->value == number;
}

/* "i = i + 1", with any number but 0. */
static bool counts(const program *p, const instruction *in) {
    if (in->kind != INSTRUCTION_SET) {
        return false;
    }
    const expression *sum = &vector_at(&p->expressions, in->a);
    if (sum->kind != EXPRESSION_ADD && sum->kind != EXPRESSION_SUBTRACT) {
        return false;
    }
    const expression *by = &vector_at(&p->expressions, sum->right);
    return is_register(p, sum->left, in->result) && by->kind == EXPRESSION_CONSTANT && by->value;
}

/* The last thing in a round is to count it, in a local that nothing else in the loop changes: no
 * local state ever comes again. `end` is the jump back. */
static bool is_counted(const program *p, const model_thread *thread, uint32_t end) {
    const instruction *jump = &vector_at(&thread->code, end);
    if (jump->kind != INSTRUCTION_JUMP || end == 0 || jump->jump >= end ||
        !counts(p, &vector_at(&thread->code, end - 1))) {
        return false;
    }
    uint32_t counter = vector_at(&thread->code, end - 1).result;
    for (uint32_t i = jump->jump; i < end; i++) {
        const instruction *in = &vector_at(&thread->code, i);
        bool jumps = in->kind == INSTRUCTION_JUMP || in->kind == INSTRUCTION_BRANCH;
        bool receives = in->kind == INSTRUCTION_RECEIVE || in->kind == INSTRUCTION_POLL;
        bool changes =
            in->result == counter || (receives && (in->value == counter || in->sender == counter));
        if ((changes && i + 1 < end) || (jumps && in->jump == end)) {
            return false;
        }
    }
    return true;
}

/* Instructions that some jump back leads to or over. */
static bool mark_loops(interpreter *m, uint32_t t) {
    const model_thread *thread = &vector_at(&m->program->threads, t);
    bool any = false;
    for (uint32_t i = 0; i < thread->code.count; i++) {
        const instruction *in = &vector_at(&thread->code, i);
        bool jumps = (in->kind == INSTRUCTION_JUMP || in->kind == INSTRUCTION_BRANCH) &&
                     !is_counted(m->program, thread, i);
        for (uint32_t at = in->jump; jumps && at <= i; at++) {
            m->in_loop[m->first_location[t] + at] = true;
            any |= may_be_void(vector_at(&thread->code, at).kind);
        }
    }
    return any;
}

/* A failing try, initialisation and destruction see whether a mutex is held. */
static void find_tried(interpreter *m) {
    const program *p = m->program;
    for (uint32_t t = 0; t < p->threads.count; t++) {
        for (uint32_t i = 0; i < vector_at(&p->threads, t).code.count; i++) {
            const instruction *in = &vector_at(&vector_at(&p->threads, t).code, i);
            bool sees = in->kind == INSTRUCTION_TRYLOCK || in->kind == INSTRUCTION_INIT ||
                        in->kind == INSTRUCTION_DESTROY;
            for (uint32_t c = 0; sees && c < in->cell.count; c++) {
                m->tried[in->cell.first + c] = true;
            }
        }
    }
}

size_t model_plan_spins(interpreter *m) {
    const program *p = m->program;
    uint32_t locations = 0, values = 0;
    for (uint32_t t = 0; t < p->threads.count; t++) {
        m->first_location[t] = locations;
        locations += vector_at(&p->threads, t).code.count;
    }
    m->location_count = locations + 1;
    m->in_loop = memory_resize(NULL, 0, m->location_count);
    m->spins = memory_resize(NULL, 0, m->location_count);
    m->tried = memory_resize(NULL, 0, p->cells.count + 1);
    m->first_record = memory_resize(NULL, 0, (p->threads.count + 1) * sizeof *m->first_record);
    find_tried(m);
    for (uint32_t t = 0; t < p->threads.count; t++) {
        m->first_record[t] = values;
        values +=
            mark_loops(m, t) ? SPIN_RECORDS * (vector_at(&p->threads, t).register_count + 1) : 0;
    }
    m->first_record[p->threads.count] = values;
    if (values) {
        liveness_compute(&m->liveness, p);
    }
    return values * sizeof(int64_t);
}

void model_free_spins(interpreter *m) {
    memory_resize(m->in_loop, m->location_count, 0);
    memory_resize(m->spins, m->location_count, 0);
    memory_resize(m->tried, m->program->cells.count + 1, 0);
    memory_resize(m->first_record, (m->program->threads.count + 1) * sizeof *m->first_record, 0);
    vector_free(&m->round_kept);
    vector_free(&m->spin_saved);
    vector_free(&m->spin_reads);
    vector_free(&m->void_reads);
}

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

/* The thread is in that state, but for temporaries that nobody reads again. */
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

/* A plain access in passing: reads only. */
static bool try_passing(interpreter *m, uint32_t t, const instruction *in, uint32_t mutex) {
    uint32_t cell;
    if (in->kind != INSTRUCTION_READ || in->length || !model_resolve(m, t, &in->cell, &cell)) {
        return false;
    }
    vector_push(&m->spin_reads, (spin_read){t, cell, mutex});
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
        case OPERATION_PAUSE: return true;
        case OPERATION_ADD:
        case OPERATION_EXCHANGE:
        case OPERATION_CAS: return m->cells[s->cell] == s->before;
        case OPERATION_TRYLOCK: return !s->acquired;
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

static bool is_known(const interpreter *m, spin_read r) {
    for (uint32_t i = 0; i < m->void_reads.count; i++) {
        spin_read known = vector_at(&m->void_reads, i);
        if (known.thread == r.thread && known.cell == r.cell && known.mutex == r.mutex) {
            return true;
        }
    }
    return false;
}

static void learn(interpreter *m, const thread_state *thread) {
    uint32_t location = thread->operation.location;
    bool memory = vector_at(&m->program->cells, thread->cell).kind == CELL_VARIABLE;
    if (!m->spins[location] || (memory && !m->awaited[thread->cell])) {
        m->spins[location] = m->base.spins = m->base.stale = true;
        m->awaited[thread->cell] |= memory;
    }
    for (uint32_t i = 0; i < m->spin_reads.count; i++) {
        if (!is_known(m, vector_at(&m->spin_reads, i))) {
            vector_push(&m->void_reads, vector_at(&m->spin_reads, i));
            m->base.stale = true;
        }
    }
}

/* Plain reads of rounds that are left out are no part of any execution, and neither are their
 * races. If there may be one, because somebody writes the variable without the mutex that the
 * thread holds, every thread goes round once before it waits. */
void model_note_write(interpreter *m, uint32_t t, uint32_t cell) {
    for (uint32_t i = 0; i < m->void_reads.count && !m->spin_once; i++) {
        spin_read r = vector_at(&m->void_reads, i);
        if (r.cell == cell && r.thread != t && m->threads[r.thread].status != THREAD_UNBORN &&
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

static bool is_candidate(const interpreter *m, uint32_t t) {
    const thread_state *thread = &m->threads[t];
    return thread->spin_count && !thread->broken && thread->phase == WAIT_NOT &&
           !(thread->operation.flags & OPERATION_PASSING) &&
           may_be_void(model_current(m, t)->kind) && thread->operation.kind != OPERATION_PAUSE;
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
        if (thread->spin_closes && m->spin_once && m->spin_reads.count && !thread->spin_rounds) {
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

/* ---- stuck threads ---- */

/* The thread runs alone. True: it goes round and round. After many steps that is not known. */
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
            is_candidate(m, t) && m->spins[thread->operation.location] && thread->spin_closes;
        if (spins && !goes_round(m, t)) {
            return ENDING_ARTIFACT;
        }
        spin |= spins;
        others |= !spins;
    }
    return spin && !others ? ENDING_LIVELOCK : ENDING_DEADLOCK;
}

const spin_rule interpreter_spins = {.note_step = note_step, .refresh = refresh, .judge = judge};
