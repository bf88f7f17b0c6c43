#include "targets/abstract/interpreter_state.h"

#include <string.h>

/* ---- errors of the program ---- */

void model_fail(interpreter *m, uint32_t t, enum error_kind kind, const char *what) {
    failure f = {
        .error = {.kind = kind, .thread = t, .location = m->first_location[t] + m->threads[t].pc}};
    snprintf(f.message, sizeof f.message, "%s in thread %s", what,
             vector_at(&m->program->threads, t).name);
    vector_push(&m->failures, f);
    m->threads[t].status = THREAD_FAILED;
}

bool model_evaluate(interpreter *m, uint32_t t, uint32_t expression, int64_t *value) {
    *value = 0;
    if (expression == EXPRESSION_NONE) {
        return true;
    }
    if (program_evaluate(m->program, expression, model_registers(m, t), value)) {
        return true;
    }
    m->broken_message = "division by zero";
    return false;
}

bool model_resolve(interpreter *m, uint32_t t, const place *where, uint32_t *cell) {
    int64_t index = 0;
    *cell = where->first;
    if (!where->count) {
        return true; /* an instruction without such a place */
    }
    if (where->count != 1 && !model_evaluate(m, t, where->index, &index)) {
        return false;
    }
    if (index < 0 || index >= (int64_t)where->count) {
        m->broken_message = "index out of bounds";
        return false;
    }
    *cell = where->first + (uint32_t)index;
    return true;
}

/* ---- shared data ---- */

int64_t model_apply_memory(interpreter *m, uint32_t t, const instruction *in, uint32_t cell,
                           int64_t a, int64_t b) {
    int64_t old = m->cells[cell];
    switch (in->kind) {
        case INSTRUCTION_WRITE: m->cells[cell] = a; return a;
        case INSTRUCTION_FILL:
            for (uint32_t i = 0; i < in->length; i++) {
                m->cells[cell + i] = a;
            }
            return 0;
        case INSTRUCTION_COPY:
            memmove(&m->cells[cell], &m->cells[in->source], in->length * sizeof *m->cells);
            return 0;
        case INSTRUCTION_ADD: m->cells[cell] = (int64_t)((uint64_t)old + (uint64_t)a); break;
        case INSTRUCTION_EXCHANGE: m->cells[cell] = a; break;
        case INSTRUCTION_CAS:
            if (old == a) {
                m->cells[cell] = b;
            }
            old = old == a;
            break;
        default: break;
    }
    model_set_result(m, t, in, old);
    return old;
}

enum access_mode model_memory_mode(const interpreter *m, const instruction *in, uint32_t cell,
                                   int64_t a) {
    switch (in->kind) {
        case INSTRUCTION_FILL:
        case INSTRUCTION_COPY:
        case INSTRUCTION_WRITE: return m->awaited[cell] ? ACCESS_READ_WRITE : ACCESS_WRITE;
        case INSTRUCTION_CAS: return m->cells[cell] == a ? ACCESS_READ_WRITE : ACCESS_READ;
        case INSTRUCTION_ADD:
        case INSTRUCTION_EXCHANGE: return ACCESS_READ_WRITE;
        default: return ACCESS_READ;
    }
}

/* Reading what a section itself has written touches nothing of the others. */
static void log_access(interpreter *m, uint32_t cell, enum access_mode mode, bool stores) {
    if (m->writers[cell] == m->several) {
        return;
    }
    uint8_t touch = stores ? (uint8_t)ACCESS_WRITE : (uint8_t)mode;
    vector_push(&m->touched, (memory_access){cell, ACCESS_ALL_BYTES, touch});
    m->writers[cell] = mode & ACCESS_WRITE ? m->several : m->writers[cell];
    vector_push(&m->accesses, (memory_access){cell, ACCESS_ALL_BYTES, (uint8_t)mode});
}

void model_start_accesses(interpreter *m) {
    vector_clear(&m->accesses);
    vector_clear(&m->touched);
    if (++m->several == 0) { /* the count has wrapped around */
        memset(m->writers, 0, (m->program->cells.count + 1) * sizeof *m->writers);
        m->several = 1;
    }
}

void model_log_accesses(interpreter *m, const instruction *in, uint32_t cell, int64_t a) {
    for (uint32_t i = 0; in->kind == INSTRUCTION_COPY && i < in->length; i++) {
        log_access(m, in->source + i, ACCESS_READ, false);
    }
    uint32_t count = in->length ? in->length : 1;
    bool stores = in->kind == INSTRUCTION_WRITE || in->length;
    for (uint32_t i = 0; i < count; i++) {
        log_access(m, cell + i, model_memory_mode(m, in, cell + i, a), stores);
    }
}

/* ---- local code ---- */

bool model_run_local(interpreter *m, uint32_t t, const instruction *in) {
    thread_state *thread = &m->threads[t];
    int64_t a;
    if (!model_evaluate(m, t, in->a, &a)) {
        model_fail(m, t, ERROR_MISUSE, m->broken_message);
        return false;
    }
    switch (in->kind) {
        case INSTRUCTION_SET: model_set_result(m, t, in, a); break;
        case INSTRUCTION_JUMP: thread->pc = in->jump; return true;
        case INSTRUCTION_BRANCH:
            if (!a) {
                thread->pc = in->jump;
                return true;
            }
            break;
        case INSTRUCTION_ASSUME:
            if (!a) {
                thread->status = THREAD_ASSUMED;
                return false;
            }
            break;
        case INSTRUCTION_ASSERT:
            if (!a) {
                model_fail(m, t, ERROR_ASSERTION, "assertion failed");
                return false;
            }
            break;
        default: CHECK(!"local instruction");
    }
    thread->pc++;
    return true;
}

/* ---- what is known of the program beforehand ---- */

/* The section accesses the same cells in every state: a straight line of reads and writes, without
 * indices that could come from a read within, and without choices. */
static bool section_is_fixed(const instruction *in) {
    for (in++; in->kind != INSTRUCTION_ATOMIC_END; in++) {
        bool fixed = in->kind == INSTRUCTION_READ || in->kind == INSTRUCTION_WRITE ||
                     in->kind == INSTRUCTION_ADD || in->kind == INSTRUCTION_EXCHANGE ||
                     in->kind == INSTRUCTION_FILL || in->kind == INSTRUCTION_COPY;
        if ((!fixed && in->kind != INSTRUCTION_SET) || in->cell.count > 1) {
            return false;
        }
    }
    return true;
}

void model_classify_sections(interpreter *m) {
    const program *p = m->program;
    for (uint32_t t = 0; t < p->threads.count; t++) {
        const model_thread *thread = &vector_at(&p->threads, t);
        for (uint32_t i = 0; i < thread->code.count; i++) {
            const instruction *in = &vector_at(&thread->code, i);
            m->section_varies[m->first_location[t] + i] =
                in->kind == INSTRUCTION_ATOMIC_BEGIN && !section_is_fixed(in);
        }
    }
}

void model_find_awaited(interpreter *m) {
    const program *p = m->program;
    for (uint32_t t = 0; t < p->threads.count; t++) {
        for (uint32_t i = 0; i < vector_at(&p->threads, t).code.count; i++) {
            const instruction *in = &vector_at(&vector_at(&p->threads, t).code, i);
            for (uint32_t c = 0; in->kind == INSTRUCTION_AWAIT && c < in->cell.count; c++) {
                m->awaited[in->cell.first + c] = true;
            }
        }
    }
}
