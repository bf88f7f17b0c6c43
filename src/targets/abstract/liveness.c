#include "targets/abstract/liveness.h"

#include <string.h>

void liveness_free(liveness *l) {
    vector_free(&l->live);
    vector_free(&l->first_rows);
}

static void use_expression(const program *p, uint32_t number, bool *row) {
    if (number == EXPRESSION_NONE) {
        return;
    }
    const expression *e = &vector_at(&p->expressions, number);
    if (e->kind == EXPRESSION_REGISTER) {
        row[e->value] = true;
    } else if (e->kind != EXPRESSION_CONSTANT) {
        use_expression(p, e->left, row);
        if (e->kind >= EXPRESSION_ADD) {
            use_expression(p, e->right, row);
        }
    }
}

static void use_place(const program *p, const place *at, bool *row) {
    if (at->count > 1) {
        use_expression(p, at->index, row);
    }
}

static void set(uint32_t number, bool *row, bool matters) {
    if (number != REGISTER_NONE) {
        row[number] = matters;
    }
}

static bool receives(const instruction *i) {
    return i->kind == INSTRUCTION_RECEIVE || i->kind == INSTRUCTION_POLL;
}

/* From what matters after the instruction to what matters before it. */
static void pass(const program *p, const instruction *i, bool *row) {
    set(i->result, row, false);
    if (receives(i)) { /* a poll that finds nothing leaves value and sender as they are */
        set(i->value, row, i->kind == INSTRUCTION_POLL);
        set(i->sender, row, i->kind == INSTRUCTION_POLL);
        for (uint32_t t = 0; t < i->pattern.count; t++) {
            use_expression(p, vector_at(&p->tags, i->pattern.first + t), row);
        }
    }
    use_expression(p, i->a, row);
    use_expression(p, i->b, row);
    use_place(p, &i->cell, row);
    use_place(p, &i->mutex, row);
}

static bool compute_instruction(const program *p, const model_thread *t, uint32_t at, bool *rows,
                                bool *scratch) {
    uint32_t n = t->register_count;
    const instruction *i = &vector_at(&t->code, at);
    memset(scratch, 0, n * sizeof *scratch);
    if (i->kind != INSTRUCTION_END) {
        const bool *next = rows + (size_t)(at + 1) * n;
        const bool *target = instruction_jumps(i) ? rows + (size_t)i->jump * n : next;
        for (uint32_t r = 0; r < n; r++) {
            scratch[r] = target[r] || (i->kind != INSTRUCTION_JUMP && next[r]);
        }
        pass(p, i, scratch);
    }
    bool *row = rows + (size_t)at * n;
    bool changed = memcmp(row, scratch, n * sizeof *row) != 0;
    memcpy(row, scratch, n * sizeof *row);
    return changed;
}

void liveness_compute(liveness *l, const program *p) {
    uint32_t size = 0, widest = 0;
    for (uint32_t t = 0; t < p->threads.count; t++) {
        const model_thread *thread = &vector_at(&p->threads, t);
        vector_push(&l->first_rows, size);
        size += thread->code.count * thread->register_count;
        widest = thread->register_count > widest ? thread->register_count : widest;
    }
    VECTOR(bool) scratch = {0};
    vector_resize(&l->live, size + 1);
    vector_resize(&scratch, widest + 1);
    memset(l->live.items, 0, l->live.count * sizeof *l->live.items);
    for (uint32_t t = 0; t < p->threads.count; t++) {
        const model_thread *thread = &vector_at(&p->threads, t);
        bool *rows = l->live.items + vector_at(&l->first_rows, t), changed = true;
        while (changed) {
            changed = false;
            for (uint32_t at = thread->code.count; at-- > 0;) {
                changed |= compute_instruction(p, thread, at, rows, scratch.items);
            }
        }
    }
    vector_free(&scratch);
}
