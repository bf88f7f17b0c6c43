/* Spin loops: what is known about the program beforehand (interpreter_spin.c). */
#include "targets/abstract/interpreter_state.h"

bool model_may_be_void(enum instruction_kind kind) {
    return kind == INSTRUCTION_READ || kind == INSTRUCTION_ADD || kind == INSTRUCTION_EXCHANGE ||
           kind == INSTRUCTION_CAS || kind == INSTRUCTION_AWAIT || kind == INSTRUCTION_TRYLOCK ||
           kind == INSTRUCTION_LOCK;
}

bool model_may_fail(enum instruction_kind kind) {
    return kind == INSTRUCTION_SEMAPHORE_TRY || kind == INSTRUCTION_TRY_READ_LOCK ||
           kind == INSTRUCTION_TRY_WRITE_LOCK;
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
        bool receives = in->kind == INSTRUCTION_RECEIVE || in->kind == INSTRUCTION_POLL;
        bool changes =
            in->result == counter || (receives && (in->value == counter || in->sender == counter));
        if ((changes && i + 1 < end) || (instruction_jumps(in) && in->jump == end)) {
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
        bool loops = instruction_jumps_back(in, i) && !is_counted(m->program, thread, i);
        for (uint32_t at = in->jump; loops && at <= i; at++) {
            m->in_loop[m->first_location[t] + at] = true;
            enum instruction_kind kind = vector_at(&thread->code, at).kind;
            any |= model_may_be_void(kind) || model_may_fail(kind);
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

bool model_add_void_read(interpreter *m, spin_read r) {
    for (uint32_t i = 0; i < m->void_reads.count; i++) {
        spin_read known = vector_at(&m->void_reads, i);
        if (known.thread == r.thread && known.cell == r.cell && known.mutex == r.mutex) {
            return false;
        }
    }
    vector_push(&m->void_reads, r);
    return true;
}
