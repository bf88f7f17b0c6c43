#include "oracle/sketch.h"

#include <string.h>

#include "base/check.h"

const sketch_range sketch_ranges[SKETCH_RANGES] = {
    {0, SKETCH_BLOCK - 1}, {0, 99}, {50, 149}, {0, 69}, {80, 149}};
const struct sketch_copy sketch_copies[SKETCH_COPIES] = {{1, 2}, {2, 1}, {3, 4}, {4, 3}};
const uint8_t sketch_spots[SKETCH_SPOTS] = {0, 60, 75, 149};

static bool opens(uint8_t kind) {
    return kind == SKETCH_ATOMIC || kind == SKETCH_IF || kind == SKETCH_LOOP;
}

static bool closes(uint8_t kind) {
    return kind == SKETCH_ATOMIC_END || kind == SKETCH_IF_END || kind == SKETCH_LOOP_END;
}

uint32_t sketch_closing(const sketch_thread *t, uint32_t at) {
    uint32_t depth = 0;
    for (uint32_t i = at + 1; i < t->count; i++) {
        uint8_t kind = t->ops[i].kind;
        if (depth == 0 && (closes(kind) || kind == SKETCH_ELSE)) {
            return i;
        }
        depth += opens(kind);
        depth -= closes(kind);
    }
    CHECK(!"a bracket without its end");
    return 0;
}

void sketch_remove_op(sketch_thread *t, uint32_t at) {
    CHECK(at < t->count);
    memmove(&t->ops[at], &t->ops[at + 1], (t->count - at - 1u) * sizeof t->ops[0]);
    t->count--;
}

static bool names_thread(const sketch_op *op) {
    return op->kind == SKETCH_SPAWN || op->kind == SKETCH_JOIN || op->kind == SKETCH_SEND;
}

static void forget_thread(sketch_thread *t, uint32_t thread) {
    for (uint32_t i = t->count; i-- > 0;) {
        if (names_thread(&t->ops[i]) && t->ops[i].cell == thread) {
            sketch_remove_op(t, i);
        } else if (names_thread(&t->ops[i]) && t->ops[i].cell > thread) {
            t->ops[i].cell--;
        }
    }
}

void sketch_remove_thread(sketch *s, uint32_t thread) {
    CHECK(thread < s->thread_count);
    memmove(&s->threads[thread], &s->threads[thread + 1],
            (s->thread_count - thread - 1u) * sizeof s->threads[0]);
    s->thread_count--;
    for (uint32_t t = 0; t < s->thread_count; t++) {
        forget_thread(&s->threads[t], thread);
    }
}

static bool op_is_oneline(const sketch_op *op) {
    if (op->adds_last || op->indexed || op->block) {
        return false;
    }
    switch (op->kind) {
        case SKETCH_EXCHANGE:
        case SKETCH_FILL:
        case SKETCH_COPY:
        case SKETCH_ASSERT:
        case SKETCH_LOOP:
        case SKETCH_IF:
        case SKETCH_ELSE:
        case SKETCH_IF_END: return false;
        case SKETCH_CAS: return op->expected == 0;
        case SKETCH_AWAIT: return op->compare == COMPARE_EQUAL;
        default: return true;
    }
}

bool sketch_is_oneline(const sketch *s) {
    for (uint32_t t = 0; t < s->thread_count; t++) {
        for (uint32_t i = 0; i < s->threads[t].count; i++) {
            if (!op_is_oneline(&s->threads[t].ops[i])) {
                return false;
            }
        }
    }
    return true;
}
