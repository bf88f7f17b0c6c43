#include <string.h>

#include "targets/abstract/language_compiler.h"

/* --- errors and tokens ----------------------------------------------------------------------- */

bool compiler_fail(compiler *c, const token *at, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    parse_error_set(c->error, at->line, at->column, format, arguments);
    va_end(arguments);
    return false;
}

bool compiler_fail_expected(compiler *c, const char *what) {
    const token *found = c->token;
    if (found->kind == TOKEN_END) {
        return compiler_fail(c, found, "expected %s, found the end of the file", what);
    }
    return compiler_fail(c, found, "expected %s, found '%.*s'", what,
                         found->length < 40 ? (int)found->length : 40, found->text);
}

bool compiler_accept(compiler *c, enum token_kind kind) {
    if (!compiler_at(c, kind)) {
        return false;
    }
    c->token++;
    return true;
}

bool compiler_expect(compiler *c, enum token_kind kind) {
    if (compiler_accept(c, kind)) {
        return true;
    }
    char what[32];
    snprintf(what, sizeof what, "'%s'", token_word(kind));
    return compiler_fail_expected(c, what);
}

/* Every list of tokens ends with TOKEN_END: there is one after a name. */
bool compiler_at_word(const compiler *c, const char *word) {
    return token_is_word(c->token, word) && c->token[1].kind == TOKEN_LEFT_PARENTHESIS;
}

bool compiler_expect_name(compiler *c, const token **name) {
    if (!compiler_at(c, TOKEN_NAME)) {
        return compiler_fail_expected(c, "a name");
    }
    *name = c->token++;
    return true;
}

/* --- names ----------------------------------------------------------------------------------- */

#define NAME_LENGTH_LIMIT 64

bool compiler_declare(compiler *c, symbol declared) {
    const token *name = declared.name;
    if (name->length > NAME_LENGTH_LIMIT) {
        return compiler_fail(c, name, "expected a name of at most %d characters",
                             NAME_LENGTH_LIMIT);
    }
    const symbol *other = symbol_find(&c->symbols, name);
    if (other) {
        return compiler_fail(c, name, "expected a new name, '%.*s' is %s declared in line %u",
                             (int)name->length, name->text, symbol_kind_words(other->kind),
                             other->name->line);
    }
    vector_push(&c->symbols, declared);
    return true;
}

bool compiler_lookup(compiler *c, const token *name, uint32_t kinds, const char *wanted,
                     symbol *found) {
    const symbol *known = symbol_find(&c->symbols, name);
    int length = name->length < NAME_LENGTH_LIMIT ? (int)name->length : NAME_LENGTH_LIMIT;
    if (!known) {
        return compiler_fail(c, name, "expected %s, '%.*s' has not been declared", wanted, length,
                             name->text);
    }
    if (!(kinds >> known->kind & 1)) {
        return compiler_fail(c, name, "expected %s, '%.*s' is %s", wanted, length, name->text,
                             symbol_kind_words(known->kind));
    }
    *found = *known;
    return true;
}

bool compiler_enter(compiler *c) {
    if (c->nesting == NESTING_LIMIT) {
        return compiler_fail(c, c->token, "expected at most %d levels of nesting", NESTING_LIMIT);
    }
    c->nesting++;
    return true;
}

void compiler_leave(compiler *c) {
    CHECK(c->nesting > 0);
    c->nesting--;
}

/* --- instructions ---------------------------------------------------------------------------- */

uint32_t compiler_position(const compiler *c) {
    return c->thread.code.count;
}

instruction compiler_instruction(enum instruction_kind kind, const token *at) {
    return program_instruction(kind, at->line, at->column);
}

uint32_t compiler_emit(compiler *c, instruction i) {
    CHECK(c->in_thread);
    i.named = i.kind == INSTRUCTION_END ? c->closed_locals : c->locals;
    vector_push(&c->thread.code, i);
    return compiler_position(c) - 1;
}

uint32_t compiler_emit_condition(compiler *c, enum instruction_kind kind, const token *at,
                                 uint32_t condition) {
    instruction i = compiler_instruction(kind, at);
    i.a = condition;
    return compiler_emit(c, i);
}

uint32_t compiler_emit_jump(compiler *c, const token *at, uint32_t goal) {
    instruction i = compiler_instruction(INSTRUCTION_JUMP, at);
    i.jump = goal;
    return compiler_emit(c, i);
}

void compiler_patch(compiler *c, uint32_t position) {
    CHECK(position < compiler_position(c));
    vector_at(&c->thread.code, position).jump = compiler_position(c);
}

void compiler_patch_chain(compiler *c, uint32_t last) {
    while (last != NO_JUMP) {
        uint32_t previous = vector_at(&c->thread.code, last).jump;
        compiler_patch(c, last);
        last = previous;
    }
}

static void shorten_chain(const compiler *c, uint32_t *last, uint32_t position) {
    while (*last != NO_JUMP && *last >= position) {
        *last = vector_at(&c->thread.code, *last).jump;
    }
}

void compiler_truncate(compiler *c, uint32_t position) {
    CHECK(position <= compiler_position(c));
    if (c->loop) {
        shorten_chain(c, &c->loop->breaks, position);
        shorten_chain(c, &c->loop->continues, position);
    }
    c->thread.code.count = position;
}

bool compiler_new_register(compiler *c, const token *at, uint32_t *number) {
    if (c->registers == REGISTER_LIMIT) {
        return compiler_fail(c, at, "expected at most %d local values at once", REGISTER_LIMIT);
    }
    *number = c->registers++;
    if (c->thread.register_count < c->registers) {
        c->thread.register_count = c->registers;
    }
    return true;
}
