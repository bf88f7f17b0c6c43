#include "oracle/print.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/memory_model.h"
#include "targets/abstract/language.h"
#include "targets/abstract/oneline.h"

static const char variables[] = "xyzuvw";
static const char plain_variables[] = "XYZUVW"; /* in one line */

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
    [SKETCH_READ] = 'r',
    [SKETCH_WRITE] = 'w',
    [SKETCH_ADD] = 'a',
    [SKETCH_CAS] = 'c',
    [SKETCH_AWAIT] = 'i',
    [SKETCH_LOCK] = 'l',
    [SKETCH_UNLOCK] = 'u',
    [SKETCH_TRY_SECTION] = 't',
    [SKETCH_TRYLOCK] = 'k',
    [SKETCH_WAIT] = 'W',
    [SKETCH_TIMED_WAIT] = 'T',
    [SKETCH_SIGNAL] = 'g',
    [SKETCH_BROADCAST] = 'b',
    [SKETCH_CHOOSE] = 'n',
    [SKETCH_SPAWN] = 's',
    [SKETCH_JOIN] = 'j',
    [SKETCH_ASSUME] = 'h',
    [SKETCH_ATOMIC] = '[',
    [SKETCH_ATOMIC_END] = ']',
    [SKETCH_SEND] = 'S',
    [SKETCH_RECEIVE] = 'M',
    [SKETCH_POLL] = 'N',
    [SKETCH_INIT] = 'I',
    [SKETCH_DESTROY] = 'D',
    [SKETCH_INIT_CONDITION] = 'I',
    [SKETCH_DESTROY_CONDITION] = 'D',
    [SKETCH_SEMAPHORE_WAIT] = 'P',
    [SKETCH_SEMAPHORE_TRY] = 'p',
    [SKETCH_POST] = 'V',
    [SKETCH_READ_LOCK] = 'R',
    [SKETCH_WRITE_LOCK] = 'W',
    [SKETCH_RELEASE] = 'U',
    [SKETCH_TRY_READ] = 'R',
    [SKETCH_TRY_WRITE] = 'W',
    [SKETCH_BARRIER] = 'B',
    [SKETCH_ONCE] = 'O',
    [SKETCH_FENCE] = 'f',
};

static void add_tags(printed *out, const sketch_op *op, const char *separator) {
    bool first = true;
    for (int tag = 1; tag <= SKETCH_TAGS; tag++) {
        if (op->value >> (tag - 1) & 1) {
            add(out, "%s%d", first ? "" : separator, tag);
            first = false;
        }
    }
}

static char oneline_variable(const sketch *s, const sketch_op *op) {
    return (s->plain >> op->cell & 1 ? plain_variables : variables)[op->cell];
}

static void add_oneline_operands(printed *out, const sketch *s, const sketch_op *op) {
    switch (op->kind) {
        case SKETCH_READ: add(out, "%c", oneline_variable(s, op)); break;
        case SKETCH_ADD:
            add(out, "%c", oneline_variable(s, op));
            if (op->value != 1) {
                add(out, "%d", op->value);
            }
            break;
        case SKETCH_WRITE:
        case SKETCH_CAS:
        case SKETCH_AWAIT: add(out, "%c%d", oneline_variable(s, op), op->value); break;
        case SKETCH_WAIT:
        case SKETCH_TIMED_WAIT: add(out, "%u.%u", op->cell, op->mutex); break;
        case SKETCH_INIT_CONDITION:
        case SKETCH_DESTROY_CONDITION: add(out, "c%u", op->cell); break;
        case SKETCH_CHOOSE: add(out, "%d", op->value); break;
        case SKETCH_READ_LOCK:
        case SKETCH_WRITE_LOCK:
        case SKETCH_RELEASE: add(out, "l%u", op->cell); break;
        case SKETCH_TRY_READ:
        case SKETCH_TRY_WRITE: add(out, "t%u", op->cell); break;
        case SKETCH_ONCE:
            add(out, "%u", op->cell);
            if (op->value >= 0) {
                add(out, ".%c", variables[op->value]);
            }
            break;
        case SKETCH_SEND: add(out, "%u.%d", op->cell, op->value); break;
        case SKETCH_RECEIVE:
        case SKETCH_POLL: add_tags(out, op, "."); break;
        case SKETCH_FENCE:
        case SKETCH_ASSUME:
        case SKETCH_ATOMIC:
        case SKETCH_ATOMIC_END: break;
        default: add(out, "%u", op->cell); break;
    }
}

static bool has_order(const sketch_op *op) {
    return op->order != ORDER_SEQ_CST || op->failure != ORDER_SEQ_CST;
}

static void add_oneline_order(printed *out, const sketch_op *op) {
    static const char *const words[] = {[ORDER_SEQ_CST] = "sc",
                                        [ORDER_RELAXED] = "rlx",
                                        [ORDER_ACQUIRE] = "acq",
                                        [ORDER_RELEASE] = "rel",
                                        [ORDER_ACQ_REL] = "ar"};
    if (has_order(op)) {
        add(out, ":%s", words[op->order]);
    }
    if (op->kind == SKETCH_CAS && op->failure != access_order_failing(op->order)) {
        add(out, ".%s", words[op->failure]);
    }
}

static void add_oneline_thread(printed *out, const sketch *s, const sketch_thread *t) {
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
        add_oneline_operands(out, s, op);
        add_oneline_order(out, op);
        first = op->kind == SKETCH_ATOMIC;
        inside = op->kind == SKETCH_ATOMIC || (inside && op->kind != SKETCH_ATOMIC_END);
    }
}

static bool has_op(const sketch *s, uint8_t kind) {
    for (uint32_t t = 0; t < s->thread_count; t++) {
        for (uint32_t i = 0; i < s->threads[t].count; i++) {
            if (s->threads[t].ops[i].kind == kind) {
                return true;
            }
        }
    }
    return false;
}

static void print_oneline(const sketch *s, printed *out) {
    out->length = 0;
    out->text[0] = 0;
    if (has_op(s, SKETCH_SEMAPHORE_WAIT) || has_op(s, SKETCH_SEMAPHORE_TRY) ||
        has_op(s, SKETCH_POST)) {
        add(out, "[sem %u] ", s->semaphore_value);
    }
    if (has_op(s, SKETCH_BARRIER)) {
        add(out, "[bar %u] ", s->barrier_size);
    }
    for (uint32_t t = 0; t < s->thread_count; t++) {
        if (t > 0) {
            add(out, " / ");
        }
        add_oneline_thread(out, s, &s->threads[t]);
    }
}

/* ---- in the language ---- */

static const char *const comparisons[] = {
    [COMPARE_EQUAL] = "==",
    [COMPARE_NOT_EQUAL] = "!=",
    [COMPARE_LESS] = "<",
    [COMPARE_GREATER] = ">",
};

/* Which cells a program mentions, as sets of bits. */
typedef struct mentioned {
    uint32_t variables, mutexes, conditions;
    uint32_t semaphores, rwlocks, barriers, onces;
    bool array, block;
} mentioned;

static void mention(mentioned *m, const sketch_op *op) {
    switch (op->kind) {
        case SKETCH_READ:
        case SKETCH_WRITE:
        case SKETCH_ADD:
        case SKETCH_EXCHANGE:
        case SKETCH_CAS:
        case SKETCH_AWAIT:
            m->array |= op->indexed;
            m->block |= op->block;
            m->variables |= op->indexed || op->block ? 0 : 1u << op->cell;
            break;
        case SKETCH_FILL:
        case SKETCH_COPY: m->block = true; break;
        case SKETCH_LOCK:
        case SKETCH_UNLOCK:
        case SKETCH_TRY_SECTION:
        case SKETCH_INIT:
        case SKETCH_DESTROY:
        case SKETCH_TRYLOCK: m->mutexes |= 1u << op->cell; break;
        case SKETCH_WAIT:
        case SKETCH_TIMED_WAIT: m->mutexes |= 1u << op->mutex; /* fall through */
        case SKETCH_INIT_CONDITION:
        case SKETCH_DESTROY_CONDITION:
        case SKETCH_SIGNAL:
        case SKETCH_BROADCAST: m->conditions |= 1u << op->cell; break;
        case SKETCH_SEMAPHORE_WAIT:
        case SKETCH_SEMAPHORE_TRY:
        case SKETCH_POST: m->semaphores |= 1u << op->cell; break;
        case SKETCH_READ_LOCK:
        case SKETCH_WRITE_LOCK:
        case SKETCH_RELEASE:
        case SKETCH_TRY_READ:
        case SKETCH_TRY_WRITE: m->rwlocks |= 1u << op->cell; break;
        case SKETCH_BARRIER: m->barriers |= 1u << op->cell; break;
        case SKETCH_ONCE:
            m->onces |= 1u << op->cell;
            m->variables |= op->value >= 0 ? 1u << op->value : 0;
            break;
        default: break;
    }
}

static mentioned mentioned_in(const sketch *s) {
    mentioned m = {0};
    for (uint32_t t = 0; t < s->thread_count; t++) {
        for (uint32_t i = 0; i < s->threads[t].count; i++) {
            mention(&m, &s->threads[t].ops[i]);
        }
    }
    return m;
}

/* Of all that the set has: "mutex m0;" */
static void add_declared(printed *out, uint32_t set, const char *kind, const char *name,
                         const char *initial) {
    for (uint32_t i = 0; i < 32; i++) {
        if (set >> i & 1) {
            add(out, "%s %s%u%s;\n", kind, name, i, initial);
        }
    }
}

static const char *declaration(uint8_t plain, uint8_t bit) {
    return plain & bit ? "plain" : "shared";
}

static void add_declarations(printed *out, const sketch *s, const mentioned *m) {
    uint8_t plain = s->plain;
    for (uint32_t i = 0; i < 2 * SKETCH_VARIABLES; i++) { /* plain ones last, as in one line */
        uint32_t number = i % SKETCH_VARIABLES;
        bool last = i >= SKETCH_VARIABLES;
        if (m->variables >> number & 1 && (plain >> number & 1) == last) {
            add(out, "%s %c;\n", last ? "plain" : "shared", variables[number]);
        }
    }
    if (m->array) {
        add(out, "%s a[%d];\n", declaration(plain, SKETCH_PLAIN_ARRAY), SKETCH_ARRAY);
    }
    if (m->block) {
        add(out, "%s b[%d];\n", declaration(plain, SKETCH_PLAIN_BLOCK), SKETCH_BLOCK);
    }
    char value[16], size[16];
    snprintf(value, sizeof value, " = %u", s->semaphore_value);
    snprintf(size, sizeof size, " = %u", s->barrier_size);
    add_declared(out, m->mutexes, "mutex", "m", "");
    add_declared(out, m->conditions, "condition", "c", "");
    add_declared(out, m->semaphores, "semaphore", "sem", value);
    add_declared(out, m->rwlocks, "rwlock", "rw", "");
    add_declared(out, m->barriers, "barrier", "bar", size);
    add_declared(out, m->onces, "once", "once", "");
}

static void add_place(printed *out, const sketch_op *op) {
    if (op->indexed) {
        add(out, "a[v]");
    } else if (op->block) {
        add(out, "b[%u]", sketch_spots[op->cell]);
    } else {
        add(out, "%c", variables[op->cell]);
    }
}

/* The last arguments of a call. */
static void add_order(printed *out, const sketch_op *op) {
    if (has_order(op)) {
        add(out, ", %s", access_order_word(op->order));
    }
    if (has_order(op) && op->kind == SKETCH_CAS) {
        add(out, ", %s", access_order_word(op->failure));
    }
}

static void add_memory_statement(printed *out, const sketch_op *op) {
    static const char *const calls[SKETCH_KIND_COUNT] = {
        [SKETCH_ADD] = "v = fetch_add(", [SKETCH_EXCHANGE] = "v = exchange(",
        [SKETCH_CAS] = "v = cas(",       [SKETCH_AWAIT] = "await(",
        [SKETCH_READ] = "v = ",          [SKETCH_WRITE] = ""};
    bool read = op->kind == SKETCH_READ, write = op->kind == SKETCH_WRITE;
    bool call = has_order(op) || (!read && !write);
    add(out, "%s%s", calls[op->kind], !call ? "" : read ? "load(" : write ? "store(" : "");
    add_place(out, op);
    switch (op->kind) {
        case SKETCH_READ: break;
        case SKETCH_WRITE:
            add(out, call ? ", " : " = ");
            add(out, op->adds_last ? "v + %d" : "%d", op->value);
            break;
        case SKETCH_CAS: add(out, ", %d, %d", op->expected, op->value); break;
        case SKETCH_AWAIT: add(out, " %s %d", comparisons[op->compare], op->value); break;
        default: add(out, ", %d", op->value); break;
    }
    add_order(out, op);
    add(out, call ? ");" : ";");
}

static void add_range(printed *out, uint32_t number) {
    add(out, "b[%u..%u]", sketch_ranges[number].from, sketch_ranges[number].to);
}

static void add_range_statement(printed *out, const sketch_op *op) {
    bool copies = op->kind == SKETCH_COPY;
    add_range(out, copies ? sketch_copies[op->cell].to : op->cell);
    add(out, " = ");
    if (copies) {
        add_range(out, sketch_copies[op->cell].from);
        add(out, ";");
    } else {
        add(out, "%d;", op->value);
    }
}

static void add_message_statement(printed *out, const sketch_op *op) {
    if (op->kind == SKETCH_SEND) {
        add(out, op->adds_last ? "send(p%u, %d, v);" : "send(p%u, %d);", op->cell, op->value);
        return;
    }
    add(out, "v = receive(");
    add_tags(out, op, ", ");
    add(out, op->kind == SKETCH_POLL ? ") after 0; if (v < 0) { v = 0; }" : ");");
    if (op->adds_last) {
        add(out, " v = value();");
    }
}

static void add_object_statement(printed *out, const sketch_op *op) {
    switch (op->kind) {
        case SKETCH_SEMAPHORE_WAIT: add(out, "sem_wait(sem%u);", op->cell); break;
        case SKETCH_SEMAPHORE_TRY: add(out, "v = sem_trywait(sem%u);", op->cell); break;
        case SKETCH_POST: add(out, "sem_post(sem%u);", op->cell); break;
        case SKETCH_READ_LOCK: add(out, "read_lock(rw%u);", op->cell); break;
        case SKETCH_WRITE_LOCK: add(out, "write_lock(rw%u);", op->cell); break;
        case SKETCH_RELEASE: add(out, "release(rw%u);", op->cell); break;
        case SKETCH_TRY_READ:
        case SKETCH_TRY_WRITE:
            add(out, "t = try_%s_lock(rw%u); if (t) { release(rw%u); }",
                op->kind == SKETCH_TRY_READ ? "read" : "write", op->cell, op->cell);
            break;
        case SKETCH_BARRIER: add(out, "barrier_wait(bar%u);", op->cell); break;
        case SKETCH_ONCE:
            add(out, "once (once%u) {", op->cell);
            if (op->value >= 0) {
                add(out, " t = fetch_add(%c, 1);", variables[op->value]);
            }
            add(out, " }");
            break;
        default: add_memory_statement(out, op); break;
    }
}

static void add_statement(printed *out, const sketch_op *op) {
    switch (op->kind) {
        case SKETCH_LOCK: add(out, "lock(m%u);", op->cell); break;
        case SKETCH_UNLOCK: add(out, "unlock(m%u);", op->cell); break;
        case SKETCH_TRY_SECTION:
            add(out, "t = trylock(m%u); if (t) { unlock(m%u); }", op->cell, op->cell);
            break;
        case SKETCH_TRYLOCK: add(out, "v = trylock(m%u);", op->cell); break;
        case SKETCH_INIT: add(out, "init(m%u);", op->cell); break;
        case SKETCH_DESTROY: add(out, "destroy(m%u);", op->cell); break;
        case SKETCH_INIT_CONDITION: add(out, "init(c%u);", op->cell); break;
        case SKETCH_DESTROY_CONDITION: add(out, "destroy(c%u);", op->cell); break;
        case SKETCH_WAIT: add(out, "wait(c%u, m%u);", op->cell, op->mutex); break;
        case SKETCH_TIMED_WAIT: add(out, "v = timed_wait(c%u, m%u);", op->cell, op->mutex); break;
        case SKETCH_SIGNAL: add(out, "signal(c%u);", op->cell); break;
        case SKETCH_BROADCAST: add(out, "broadcast(c%u);", op->cell); break;
        case SKETCH_CHOOSE: add(out, "v = choose(%d);", op->value); break;
        case SKETCH_SPAWN: add(out, "spawn p%u;", op->cell); break;
        case SKETCH_JOIN: add(out, "join p%u;", op->cell); break;
        case SKETCH_FENCE: add(out, "fence(%s);", access_order_word(op->order)); break;
        case SKETCH_ASSUME: add(out, "assume(v);"); break;
        case SKETCH_ASSERT:
            add(out, "assert(v %s %d);", comparisons[op->compare], op->value);
            break;
        case SKETCH_ATOMIC: add(out, "atomic {"); break;
        case SKETCH_ATOMIC_END: add(out, "}"); break;
        case SKETCH_IF: add(out, "if (v %s %d) {", comparisons[op->compare], op->value); break;
        case SKETCH_ELSE: add(out, "} else {"); break;
        case SKETCH_IF_END: add(out, "}"); break;
        case SKETCH_LOOP: add(out, op->counted ? "n = 0; while (1) {" : "while (1) {"); break;
        case SKETCH_LOOP_END:
            if (op->counted) {
                add(out, "n = n + 1; if (n == 3) { break; } ");
            }
            add(out, "if (v %s %d) { break; } }", comparisons[op->compare], op->value);
            break;
        case SKETCH_FILL:
        case SKETCH_COPY: add_range_statement(out, op); break;
        case SKETCH_SEND:
        case SKETCH_RECEIVE:
        case SKETCH_POLL: add_message_statement(out, op); break;
        default: add_object_statement(out, op); break;
    }
}

static bool has_counted_loop(const sketch_thread *t) {
    for (uint32_t i = 0; i < t->count; i++) {
        if (t->ops[i].counted) {
            return true;
        }
    }
    return false;
}

/* One statement a line. A guard is an `if` around the statement, or around the whole section. */
static void add_thread(printed *out, const sketch_thread *t, uint32_t number) {
    bool section_guarded = false;
    add(out, "%sthread p%u {\nlocal v = 0, t = 0%s;\n", t->spawned ? "spawned " : "", number,
        has_counted_loop(t) ? ", n" : "");
    for (uint32_t i = 0; i < t->count; i++) {
        const sketch_op *op = &t->ops[i];
        bool guarded = op->guard != GUARD_NONE && op->kind < SKETCH_ATOMIC_END;
        if (guarded) {
            add(out, "if (%sv) { ", op->guard == GUARD_SET ? "" : "!");
        }
        if (op->kind == SKETCH_ATOMIC) {
            section_guarded = guarded;
        }
        add_statement(out, op);
        bool closes = op->kind == SKETCH_ATOMIC       ? false
                      : op->kind == SKETCH_ATOMIC_END ? section_guarded
                                                      : guarded;
        add(out, closes ? " }\n" : "\n");
    }
    add(out, "}\n");
}

void print_language(const sketch *s, printed *out) {
    out->length = 0;
    mentioned m = mentioned_in(s);
    add_declarations(out, s, &m);
    for (uint32_t t = 0; t < s->thread_count; t++) {
        add_thread(out, &s->threads[t], t);
    }
}

/* ---- either ---- */

void print_sketch(const sketch *s, printed *out) {
    if (sketch_is_oneline(s)) {
        print_oneline(s, out);
    } else {
        print_language(s, out);
    }
}

void print_flatten(char *text) {
    for (; *text; text++) {
        *text = *text == '\n' ? ' ' : *text;
    }
}

/* The language has braces, the one-line notation has none. */
bool print_parse(program *p, const char *text, parse_error *error) {
    return strchr(text, '{') ? language_parse(p, "program", text, NULL, 0, error)
                             : oneline_parse(p, text, error);
}
