#include "targets/abstract/program.h"

#include <stdlib.h>
#include <string.h>

static char *copy_text(const char *text) {
    size_t size = strlen(text) + 1;
    return memcpy(memory_resize(NULL, 0, size), text, size);
}

static void free_text(char *text) {
    if (text) {
        memory_resize(text, strlen(text) + 1, 0);
    }
}

void program_init(program *p, const char *file) {
    *p = (program){.file = copy_text(file)};
}

void program_free(program *p) {
    for (uint32_t i = 0; i < p->cells.count; i++) {
        free_text(vector_at(&p->cells, i).name);
    }
    for (uint32_t i = 0; i < p->threads.count; i++) {
        free_text(vector_at(&p->threads, i).name);
        vector_free(&vector_at(&p->threads, i).code);
    }
    vector_free(&p->cells);
    vector_free(&p->threads);
    vector_free(&p->expressions);
    vector_free(&p->tags);
    free_text(p->file);
    p->file = NULL;
}

instruction program_instruction(enum instruction_kind kind, uint32_t line, uint32_t column) {
    return (instruction){.kind = kind,
                         .cell = {.count = 1, .index = EXPRESSION_NONE},
                         .mutex = {.count = 1, .index = EXPRESSION_NONE},
                         .a = EXPRESSION_NONE,
                         .b = EXPRESSION_NONE,
                         .result = REGISTER_NONE,
                         .value = REGISTER_NONE,
                         .sender = REGISTER_NONE,
                         .line = line,
                         .column = column};
}

uint32_t program_add_cell(program *p, enum cell_kind kind, const char *name, int64_t initial) {
    vector_push(&p->cells, (cell){.kind = kind, .name = copy_text(name), .initial = initial});
    return p->cells.count - 1;
}

const char *program_order_error(const instruction *i) {
    switch (i->kind) {
        case INSTRUCTION_READ:
        case INSTRUCTION_AWAIT:
            return access_order_may_read(i->order)
                       ? NULL
                       : "expected relaxed, acquire or seq_cst as the order of a read";
        case INSTRUCTION_WRITE:
            return access_order_may_write(i->order)
                       ? NULL
                       : "expected relaxed, release or seq_cst as the order of a write";
        case INSTRUCTION_FENCE:
            return i->order != ORDER_RELAXED
                       ? NULL
                       : "expected acquire, release, acq_rel or seq_cst as the order of a fence";
        case INSTRUCTION_CAS:
            return access_order_may_read(i->failure)
                       ? NULL
                       : "expected relaxed, acquire or seq_cst as the order of a failure";
        default: return NULL;
    }
}

bool program_is_plain(const program *p, const instruction *in) {
    bool accesses = in->kind == INSTRUCTION_READ || in->kind == INSTRUCTION_WRITE ||
                    in->kind == INSTRUCTION_FILL || in->kind == INSTRUCTION_COPY;
    return accesses && vector_at(&p->cells, in->cell.first).plain &&
           (in->kind != INSTRUCTION_COPY || vector_at(&p->cells, in->source).plain);
}

bool program_mixes_plain(const program *p) {
    for (uint32_t t = 0; t < p->threads.count; t++) {
        for (uint32_t i = 0; i < vector_at(&p->threads, t).code.count; i++) {
            const instruction *in = &vector_at(&vector_at(&p->threads, t).code, i);
            bool variable =
                in->kind <= INSTRUCTION_AWAIT &&
                (vector_at(&p->cells, in->cell.first).plain ||
                 (in->kind == INSTRUCTION_COPY && vector_at(&p->cells, in->source).plain));
            if (variable && !program_is_plain(p, in)) {
                return true;
            }
        }
    }
    return false;
}

bool program_has_plain(const program *p) {
    for (uint32_t i = 0; i < p->cells.count; i++) {
        if (vector_at(&p->cells, i).plain) {
            return true;
        }
    }
    return false;
}

/* It orders accesses in a way that the race detector does not know. */
static bool is_unknown_to_races(const program *p, const instruction *in) {
    bool names_cell = in->kind != INSTRUCTION_SPAWN && in->kind != INSTRUCTION_JOIN &&
                      in->kind < INSTRUCTION_SET && in->cell.count;
    return names_cell && vector_at(&p->cells, in->cell.first).kind > CELL_CONDITION;
}

const char *program_plain_error(const program *p, const instruction **where) {
    for (uint32_t t = 0; t < p->threads.count && program_has_plain(p); t++) {
        for (uint32_t i = 0; i < vector_at(&p->threads, t).code.count; i++) {
            *where = &vector_at(&vector_at(&p->threads, t).code, i);
            if ((*where)->kind == INSTRUCTION_SEND) {
                return "a program with plain variables cannot send messages";
            }
            if (is_unknown_to_races(p, *where)) {
                return "a program with plain variables can synchronise by variables, mutexes and "
                       "conditions only";
            }
            if ((*where)->kind == INSTRUCTION_AWAIT &&
                vector_at(&p->cells, (*where)->cell.first).plain) {
                return "an await needs a shared variable, not a plain one";
            }
        }
    }
    return NULL;
}

uint32_t program_add_thread(program *p, const char *name, bool starts) {
    vector_push(&p->threads,
                (model_thread){.name = copy_text(name), .starts = starts, .register_count = 1});
    return p->threads.count - 1;
}

uint32_t program_expression(program *p, enum expression_kind kind, uint32_t left, uint32_t right) {
    vector_push(&p->expressions, (expression){.kind = kind, .left = left, .right = right});
    return p->expressions.count - 1;
}

uint32_t program_constant(program *p, int64_t value) {
    vector_push(&p->expressions, (expression){.kind = EXPRESSION_CONSTANT, .value = value});
    return p->expressions.count - 1;
}

uint32_t program_register(program *p, uint32_t number) {
    vector_push(&p->expressions, (expression){.kind = EXPRESSION_REGISTER, .value = number});
    return p->expressions.count - 1;
}

pattern program_pattern(program *p, const uint32_t *tags, uint32_t count) {
    pattern added = {.first = p->tags.count, .count = count};
    vector_append(&p->tags, tags, count);
    return added;
}

bool expression_apply(enum expression_kind kind, int64_t a, int64_t b, int64_t *value) {
    uint64_t left = (uint64_t)a, right = (uint64_t)b;
    switch (kind) {
        case EXPRESSION_NOT: *value = !a; return true;
        case EXPRESSION_NEGATE: *value = (int64_t)-left; return true;
        case EXPRESSION_ADD: *value = (int64_t)(left + right); return true;
        case EXPRESSION_SUBTRACT: *value = (int64_t)(left - right); return true;
        case EXPRESSION_MULTIPLY: *value = (int64_t)(left * right); return true;
        case EXPRESSION_DIVIDE:
            if (b == 0) {
                return false;
            }
            *value = b == -1 ? (int64_t)-left : a / b;
            return true;
        case EXPRESSION_REMAINDER:
            if (b == 0) {
                return false;
            }
            *value = b == -1 ? 0 : a % b;
            return true;
        case EXPRESSION_EQUAL: *value = a == b; return true;
        case EXPRESSION_NOT_EQUAL: *value = a != b; return true;
        case EXPRESSION_LESS: *value = a < b; return true;
        case EXPRESSION_LESS_EQUAL: *value = a <= b; return true;
        case EXPRESSION_GREATER: *value = a > b; return true;
        case EXPRESSION_GREATER_EQUAL: *value = a >= b; return true;
        case EXPRESSION_AND: *value = a && b; return true;
        case EXPRESSION_OR: *value = a || b; return true;
        case EXPRESSION_CONSTANT:
        case EXPRESSION_REGISTER: break;
    }
    check_failed(__FILE__, __LINE__, "expression kind");
}

bool program_evaluate(const program *p, uint32_t index, const int64_t *registers, int64_t *value) {
    const expression *e = &vector_at_fast(&p->expressions, index);
    if (e->kind == EXPRESSION_CONSTANT) {
        *value = e->value;
        return true;
    }
    if (e->kind == EXPRESSION_REGISTER) {
        *value = registers[e->value];
        return true;
    }
    int64_t left, right = 0;
    bool unary = e->kind == EXPRESSION_NOT || e->kind == EXPRESSION_NEGATE;
    return program_evaluate(p, e->left, registers, &left) &&
           (unary || program_evaluate(p, e->right, registers, &right)) &&
           expression_apply(e->kind, left, right, value);
}

bool program_has_comparisons(const program *p) {
    for (uint32_t t = 0; t < p->threads.count; t++) {
        const model_thread *thread = &vector_at(&p->threads, t);
        for (uint32_t i = 0; i < thread->code.count; i++) {
            enum instruction_kind kind = vector_at(&thread->code, i).kind;
            if (kind == INSTRUCTION_CAS || kind == INSTRUCTION_ONCE || kind == INSTRUCTION_AWAIT) {
                return true;
            }
        }
    }
    return false;
}
