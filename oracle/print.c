#include "oracle/print.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "model/oneline.h"

static const char variables[] = "xyzuvw";

__attribute__((format(printf, 2, 3))) static void add(printed *out, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(out->text + out->length, PRINT_SIZE - out->length, format, arguments);
    va_end(arguments);
    CHECK(length >= 0 && out->length + (size_t)length < PRINT_SIZE);
    out->length += (size_t)length;
}

/* ---- in one line ---- */

static const char letters[SKETCH_KIND_COUNT] = {
    [SKETCH_READ] = 'r',       [SKETCH_WRITE] = 'w',       [SKETCH_ADD] = 'a',
    [SKETCH_CAS] = 'c',        [SKETCH_AWAIT] = 'i',       [SKETCH_LOCK] = 'l',
    [SKETCH_UNLOCK] = 'u',     [SKETCH_TRY_SECTION] = 't', [SKETCH_TRYLOCK] = 'k',
    [SKETCH_WAIT] = 'W',       [SKETCH_TIMED_WAIT] = 'T',  [SKETCH_SIGNAL] = 'g',
    [SKETCH_BROADCAST] = 'b',  [SKETCH_CHOOSE] = 'n',      [SKETCH_SPAWN] = 's',
    [SKETCH_JOIN] = 'j',       [SKETCH_ASSUME] = 'h',      [SKETCH_ATOMIC] = '[',
    [SKETCH_ATOMIC_END] = ']',
};

static void add_oneline_operands(printed *out, const sketch_op *op) {
    switch (op->kind) {
        case SKETCH_READ:
            add(out, "%c", variables[op->cell]);
            break;
        case SKETCH_ADD:
            add(out, "%c", variables[op->cell]);
            if (op->value != 1) {
                add(out, "%d", op->value);
            }
            break;
        case SKETCH_WRITE:
        case SKETCH_CAS:
        case SKETCH_AWAIT:
            add(out, "%c%d", variables[op->cell], op->value);
            break;
        case SKETCH_WAIT:
        case SKETCH_TIMED_WAIT:
            add(out, "%u.%u", op->cell, op->mutex);
            break;
        case SKETCH_CHOOSE:
            add(out, "%d", op->value);
            break;
        case SKETCH_ASSUME:
        case SKETCH_ATOMIC:
        case SKETCH_ATOMIC_END:
            break;
        default:
            add(out, "%u", op->cell);
            break;
    }
}

static void add_oneline_thread(printed *out, const sketch_thread *t) {
    bool inside = false, first = true;
    if (t->spawned) {
        add(out, "* ");
    }
    for (uint32_t i = 0; i < t->count; i++) {
        const sketch_op *op = &t->ops[i];
        if (op->kind != SKETCH_ATOMIC_END && !first) {
            add(out, "%c", inside ? ',' : ' ');
        }
        if (op->guard && op->kind != SKETCH_ATOMIC_END) {
            add(out, "%c", op->guard == GUARD_SET ? '?' : '!');
        }
        add(out, "%c", letters[op->kind]);
        add_oneline_operands(out, op);
        first = op->kind == SKETCH_ATOMIC;
        inside = op->kind == SKETCH_ATOMIC || (inside && op->kind != SKETCH_ATOMIC_END);
    }
}

static void print_oneline(const sketch *s, printed *out) {
    for (uint32_t t = 0; t < s->thread_count; t++) {
        if (t > 0) {
            add(out, " / ");
        }
        add_oneline_thread(out, &s->threads[t]);
    }
}

/* ---- either ---- */

void print_sketch(const sketch *s, printed *out) {
    out->length = 0;
    out->text[0] = 0;
    CHECK(sketch_is_oneline(s));
    print_oneline(s, out);
}

bool print_is_oneline(const char *text) {
    return strchr(text, '{') == NULL;
}

bool print_parse(program *p, const char *text, parse_error *error) {
    return oneline_parse(p, text, error);
}
