/* Atomic sections: one step that does all of it. What it accesses, and its alternatives, are found
 * by trying all of them and undoing everything. */
#include <string.h>

#include "targets/abstract/interpreter_state.h"

/* ---- running a section ---- */

static void atomic_access(interpreter *m, uint32_t t, const instruction *in) {
    uint32_t cell;
    int64_t a, b;
    if (!model_resolve(m, t, &in->cell, &cell) || !model_evaluate(m, t, in->a, &a) ||
        !model_evaluate(m, t, in->b, &b)) {
        model_fail(m, t, ERROR_MISUSE, m->broken_message);
        return;
    }
    model_log_accesses(m, in, cell, a);
    uint32_t count = in->length ? in->length : 1;
    for (uint32_t i = 0; i < count; i++) {
        vector_push(&m->undo, (undo_item){cell + i, m->cells[cell + i]});
    }
    model_apply_memory(m, t, in, cell, a, b);
    m->threads[t].pc++;
}

static void atomic_choose(interpreter *m, uint32_t t, const instruction *in) {
    int64_t count;
    CHECK(model_evaluate(m, t, in->a, &count));
    model_set_result(m, t, in, choice_path_choose(&m->path, (uint32_t)count));
    m->threads[t].pc++;
}

/* From the section at pc to its end or to where the thread stops, with the choices of the path;
 * logs accesses and old values. */
static void run_atomic(interpreter *m, uint32_t t) {
    thread_state *thread = &m->threads[t];
    model_start_accesses(m);
    vector_clear(&m->undo);
    m->path.used = 0;
    thread->pc++;
    for (uint32_t n = 0; thread->status == THREAD_RUNS; n++) {
        const instruction *in = model_current(m, t);
        if (in->kind == INSTRUCTION_ATOMIC_END) {
            thread->pc++;
            return;
        }
        if (model_is_endless(m, t, n, true)) {
            return;
        }
        if (model_is_local(in->kind)) {
            model_run_local(m, t, in);
        } else if (in->kind == INSTRUCTION_CHOOSE) {
            atomic_choose(m, t, in);
        } else {
            atomic_access(m, t, in);
        }
    }
}

/* Runs the section and undoes it. */
static void try_atomic(interpreter *m, uint32_t t) {
    thread_state *thread = &m->threads[t];
    uint32_t count = vector_at(&m->program->threads, t).register_count;
    uint32_t pc = thread->pc, failures = m->failures.count;
    vector_resize(&m->saved, count);
    memcpy(m->saved.items, model_registers(m, t), count * sizeof *m->saved.items);
    run_atomic(m, t);
    memcpy(model_registers(m, t), m->saved.items, count * sizeof *m->saved.items);
    while (m->undo.count) {
        undo_item u = vector_pop(&m->undo);
        m->cells[u.cell] = u.value;
    }
    thread->pc = pc;
    thread->status = THREAD_RUNS;
    m->failures.count = failures;
}

/* ---- choices in atomic sections ---- */

/* What an alternative accesses may differ from what the others do. Whatever is written by one of
 * them counts as read as well, because the others leave it as it is. */
static footprint unite_accesses(interpreter *m) {
    for (uint32_t i = 0; i < m->united.count; i++) {
        vector_at(&m->united, i).mode |=
            vector_at(&m->united, i).mode & ACCESS_WRITE ? ACCESS_READ : 0;
    }
    return footprint_of(m->united.items, m->united.count);
}

void model_refresh_atomic(interpreter *m, uint32_t t) {
    thread_state *thread = &m->threads[t];
    operation *op = &thread->operation;
    section_choices *choices = &m->choices[t];
    vector_clear(choices);
    vector_clear(&m->united);
    choice_path_start(&m->path, 0);
    thread->crowded = false;
    op->choice_count = 0;
    do {
        uint32_t number = 0;
        try_atomic(m, t);
        if (!choice_path_number(&m->path, &number) || choices->count == CHOICE_PATH_ALTERNATIVES) {
            thread->crowded = true;
            op->footprint = FOOTPRINT_EMPTY;
            return;
        }
        if (!m->path.choices.count) {
            op->footprint = footprint_of(m->accesses.items, m->accesses.count);
            return;
        }
        vector_push(choices, number);
        vector_append(&m->united, m->accesses.items, m->accesses.count);
    } while (choice_path_next(&m->path, 0));
    op->footprint = choices->count == 1 ? footprint_of(m->accesses.items, m->accesses.count)
                                        : unite_accesses(m);
    op->choices = choices->items;
    op->choice_count = choices->count;
}

/* The choices that make up an alternative are found as the section makes them. */
void model_take_atomic(interpreter *m, uint32_t t, uint32_t choice) {
    if (m->threads[t].crowded) {
        model_fail(m, t, ERROR_UNSUPPORTED,
                   "unsupported: an atomic section with more than 65536 alternatives");
        return;
    }
    choice_path_start(&m->path, choice == CHOICE_NONE ? 0 : choice);
    run_atomic(m, t);
}
