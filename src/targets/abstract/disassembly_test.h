/* Compiled programs as text, for the tests of both notations: a line per thread, its instructions
 * separated by "; ", such as
 *     p0: read x -> r0; branch r0 @3; write y 1; end
 * A '*' after the name marks a thread that starts when spawned; @ goes before a jump's goal. */
#ifndef HEDDLE_TARGETS_ABSTRACT_DISASSEMBLY_TEST_H
#define HEDDLE_TARGETS_ABSTRACT_DISASSEMBLY_TEST_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "targets/abstract/parse_error.h"
#include "targets/abstract/program.h"

static const char *const instruction_words[] = {
    [INSTRUCTION_READ] = "read",
    [INSTRUCTION_WRITE] = "write",
    [INSTRUCTION_ADD] = "add",
    [INSTRUCTION_EXCHANGE] = "exchange",
    [INSTRUCTION_CAS] = "cas",
    [INSTRUCTION_AWAIT] = "await",
    [INSTRUCTION_LOCK] = "lock",
    [INSTRUCTION_UNLOCK] = "unlock",
    [INSTRUCTION_TRYLOCK] = "trylock",
    [INSTRUCTION_WAIT] = "wait",
    [INSTRUCTION_TIMED_WAIT] = "timed_wait",
    [INSTRUCTION_SIGNAL] = "signal",
    [INSTRUCTION_BROADCAST] = "broadcast",
    [INSTRUCTION_SEMAPHORE_WAIT] = "sem_wait",
    [INSTRUCTION_SEMAPHORE_TRY] = "sem_trywait",
    [INSTRUCTION_POST] = "sem_post",
    [INSTRUCTION_READ_LOCK] = "read_lock",
    [INSTRUCTION_WRITE_LOCK] = "write_lock",
    [INSTRUCTION_TRY_READ_LOCK] = "try_read_lock",
    [INSTRUCTION_TRY_WRITE_LOCK] = "try_write_lock",
    [INSTRUCTION_RELEASE] = "release",
    [INSTRUCTION_BARRIER] = "barrier_wait",
    [INSTRUCTION_ONCE] = "once",
    [INSTRUCTION_ONCE_END] = "once_end",
    [INSTRUCTION_CHOOSE] = "choose",
    [INSTRUCTION_SPAWN] = "spawn",
    [INSTRUCTION_JOIN] = "join",
    [INSTRUCTION_SEND] = "send",
    [INSTRUCTION_RECEIVE] = "receive",
    [INSTRUCTION_POLL] = "poll",
    [INSTRUCTION_ATOMIC_BEGIN] = "{",
    [INSTRUCTION_ATOMIC_END] = "}",
    [INSTRUCTION_SET] = "set",
    [INSTRUCTION_JUMP] = "jump",
    [INSTRUCTION_BRANCH] = "branch",
    [INSTRUCTION_ASSUME] = "assume",
    [INSTRUCTION_ASSERT] = "assert",
    [INSTRUCTION_END] = "end",
};

static const char *const expression_words[] = {
    [EXPRESSION_NOT] = "!",
    [EXPRESSION_NEGATE] = "-",
    [EXPRESSION_ADD] = "+",
    [EXPRESSION_SUBTRACT] = "-",
    [EXPRESSION_MULTIPLY] = "*",
    [EXPRESSION_DIVIDE] = "/",
    [EXPRESSION_REMAINDER] = "%",
    [EXPRESSION_EQUAL] = "==",
    [EXPRESSION_NOT_EQUAL] = "!=",
    [EXPRESSION_LESS] = "<",
    [EXPRESSION_LESS_EQUAL] = "<=",
    [EXPRESSION_GREATER] = ">",
    [EXPRESSION_GREATER_EQUAL] = ">=",
    [EXPRESSION_AND] = "&&",
    [EXPRESSION_OR] = "||",
};

static void print_expression(FILE *out, const program *p, uint32_t index) {
    const expression *e = &vector_at(&p->expressions, index);
    if (e->kind == EXPRESSION_CONSTANT) {
        fprintf(out, "%lld", (long long)e->value);
    } else if (e->kind == EXPRESSION_REGISTER) {
        fprintf(out, "r%lld", (long long)e->value);
    } else if (e->kind == EXPRESSION_NOT || e->kind == EXPRESSION_NEGATE) {
        fprintf(out, "%s", expression_words[e->kind]);
        print_expression(out, p, e->left);
    } else {
        fprintf(out, "(");
        print_expression(out, p, e->left);
        fprintf(out, " %s ", expression_words[e->kind]);
        print_expression(out, p, e->right);
        fprintf(out, ")");
    }
}

static bool names_thread(enum instruction_kind kind) {
    return kind == INSTRUCTION_SPAWN || kind == INSTRUCTION_JOIN || kind == INSTRUCTION_SEND;
}

static const char *place_name(const program *p, const instruction *i, const place *where) {
    bool thread = names_thread(i->kind);
    CHECK(where->first + where->count <= (thread ? p->threads.count : p->cells.count));
    return thread ? vector_at(&p->threads, where->first).name
                  : vector_at(&p->cells, where->first).name;
}

/* The cell's name, or "first name+index" for a place of several cells. */
static void print_place(FILE *out, const program *p, const instruction *i, const place *where) {
    fprintf(out, " %s", where->count ? place_name(p, i, where) : "nothing");
    if (where->count != 1) {
        fprintf(out, "+");
        print_expression(out, p, where->index);
    }
}

static void print_instruction(FILE *out, const program *p, const instruction *i) {
    fprintf(out, "%s", instruction_words[i->kind]);
    bool started = i->kind == INSTRUCTION_SPAWN || i->kind == INSTRUCTION_JOIN;
    if (i->kind < INSTRUCTION_CHOOSE || names_thread(i->kind)) {
        print_place(out, p, i, &i->cell);
    }
    if (i->kind == INSTRUCTION_WAIT || i->kind == INSTRUCTION_TIMED_WAIT) {
        print_place(out, p, i, &i->mutex);
    }
    if (i->kind == INSTRUCTION_AWAIT) {
        fprintf(out, " %s", expression_words[i->compare]);
    }
    if (i->a != EXPRESSION_NONE && !started) {
        fprintf(out, " ");
        print_expression(out, p, i->a);
    }
    if (i->b != EXPRESSION_NONE) {
        fprintf(out, " ");
        print_expression(out, p, i->b);
    }
    for (uint32_t k = 0; k < i->pattern.count; k++) {
        fprintf(out, k ? "|" : " ");
        print_expression(out, p, vector_at(&p->tags, i->pattern.first + k));
    }
    if (i->result != REGISTER_NONE) {
        fprintf(out, " -> r%u", i->result);
    }
    if (i->value != REGISTER_NONE) {
        fprintf(out, " value r%u sender r%u", i->value, i->sender);
    }
    if (instruction_jumps(i)) {
        fprintf(out, " @%u", i->jump);
    }
}

/* What every compiled program keeps to. */
static void check_thread_code(const model_thread *thread) {
    CHECK(thread->code.count > 0 && vector_last(&thread->code).kind == INSTRUCTION_END);
    CHECK(thread->register_count >= 1);
    bool atomic = false;
    for (uint32_t i = 0; i < thread->code.count; i++) {
        const instruction *at = &vector_at(&thread->code, i);
        CHECK(at->line > 0 && at->column > 0);
        CHECK(at->result == REGISTER_NONE || at->result < thread->register_count);
        CHECK(at->jump < thread->code.count);
        bool end = at->kind == INSTRUCTION_ATOMIC_END;
        bool inside = at->kind < INSTRUCTION_AWAIT || at->kind > INSTRUCTION_ATOMIC_END;
        CHECK(atomic ? inside || end : !end);
        atomic =
            (atomic || at->kind == INSTRUCTION_ATOMIC_BEGIN) && at->kind != INSTRUCTION_ATOMIC_END;
    }
    CHECK(!atomic);
}

/* To be released with free. */
static inline char *disassemble(const program *p) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    CHECK(out != NULL);
    for (uint32_t t = 0; t < p->threads.count; t++) {
        const model_thread *thread = &vector_at(&p->threads, t);
        check_thread_code(thread);
        fprintf(out, "%s%s:", thread->name, thread->starts ? "" : "*");
        for (uint32_t i = 0; i < thread->code.count; i++) {
            fprintf(out, i ? "; " : " ");
            print_instruction(out, p, &vector_at(&thread->code, i));
        }
        fprintf(out, "\n");
    }
    fclose(out);
    return text;
}

/* "x=0 y=2 m0 c0" */
static inline char *list_cells(const program *p) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    CHECK(out != NULL);
    for (uint32_t i = 0; i < p->cells.count; i++) {
        const cell *at = &vector_at(&p->cells, i);
        CHECK(i == 0 || vector_at(&p->cells, i - 1).kind <= at->kind);
        fprintf(out, "%s%s", i ? " " : "", at->name);
        if (at->kind == CELL_VARIABLE) {
            fprintf(out, "=%lld", (long long)at->initial);
        }
    }
    fclose(out);
    return text;
}

/* ---- what the parsers of both notations are expected to do; they use the program up ---- */

static inline void expect_refused(bool parsed, program *p, const parse_error *error, uint32_t line,
                                  uint32_t column, const char *message) {
    assert_false(parsed);
    assert_string_equal(error->message, message);
    assert_int_equal(error->line, line);
    assert_int_equal(error->column, column);
    assert_int_equal(memory_in_use(), 0);
    program_free(p);
}

/* `list` is disassemble or list_cells. */
static inline void expect_listed(bool parsed, program *p, const parse_error *error,
                                 char *(*list)(const program *), const char *expected) {
    if (!parsed) {
        fail_msg("%u:%u: %s", error->line, error->column, error->message);
    }
    char *listed = list(p);
    assert_string_equal(listed, expected);
    free(listed);
    program_free(p);
    assert_int_equal(memory_in_use(), 0);
}

#endif
