/* Blocks, branches, loops and atomic sections. */
#include "targets/abstract/language_compiler.h"

/* --- scopes ---------------------------------------------------------------------------------- */

typedef struct scope {
    uint32_t symbols, registers;
} scope;

static scope open_scope(const compiler *c) {
    return (scope){.symbols = c->symbols.count, .registers = c->registers};
}

static void close_scope(compiler *c, scope s) {
    CHECK(c->symbols.count >= s.symbols && c->registers >= s.registers);
    c->symbols.count = s.symbols;
    c->closed_locals = c->locals;
    c->registers = c->locals = s.registers;
}

/* What a branch or a loop governs: locals declared in it end with it. */
static bool parse_governed(compiler *c) {
    scope s = open_scope(c);
    if (!compile_statement(c)) {
        return false;
    }
    close_scope(c, s);
    return true;
}

/* The same for code that no execution reaches: it is checked and dropped. */
static bool parse_dropped(compiler *c) {
    uint32_t start = compiler_position(c);
    c->unreachable++;
    if (!parse_governed(c)) {
        return false;
    }
    c->unreachable--;
    compiler_truncate(c, start);
    return true;
}

static bool parse_block(compiler *c) {
    scope s = open_scope(c);
    if (!compiler_expect(c, TOKEN_LEFT_BRACE)) {
        return false;
    }
    while (!compiler_accept(c, TOKEN_RIGHT_BRACE)) {
        if (compiler_at(c, TOKEN_END)) {
            return compiler_fail_expected(c, "a statement or '}'");
        }
        if (!compile_statement(c)) {
            return false;
        }
    }
    close_scope(c, s);
    return true;
}

/* --- branches -------------------------------------------------------------------------------- */

/* A condition: either known now, or a branch that is taken when it is zero. */
typedef struct condition {
    bool constant, value;
    uint32_t branch;
} condition;

static bool parse_condition(compiler *c, const token *at, condition *result) {
    uint32_t registers = c->registers;
    operand value;
    if (!compile_expression(c, &value)) {
        return false;
    }
    *result = (condition){.constant = value.constant, .value = value.value != 0, .branch = NO_JUMP};
    if (!value.constant) {
        result->branch = compiler_emit_condition(c, INSTRUCTION_BRANCH, at, value.expression);
    }
    c->registers = registers;
    return true;
}

static bool never(const condition *test) {
    return test->constant && !test->value;
}

static bool always(const condition *test) {
    return test->constant && test->value;
}

static bool parse_else(compiler *c, const condition *test) {
    const token *keyword = c->token++;
    if (always(test)) {
        return parse_dropped(c);
    }
    uint32_t skip = test->constant ? NO_JUMP : compiler_emit_jump(c, keyword, 0);
    if (!test->constant) {
        compiler_patch(c, test->branch);
    }
    if (!parse_governed(c)) {
        return false;
    }
    if (skip != NO_JUMP) {
        compiler_patch(c, skip);
    }
    return true;
}

static bool parse_if(compiler *c) {
    const token *keyword = c->token++;
    condition test;
    if (!compiler_expect(c, TOKEN_LEFT_PARENTHESIS) || !parse_condition(c, keyword, &test) ||
        !compiler_expect(c, TOKEN_RIGHT_PARENTHESIS) ||
        !(never(&test) ? parse_dropped(c) : parse_governed(c))) {
        return false;
    }
    if (compiler_at(c, TOKEN_ELSE)) {
        return parse_else(c, &test);
    }
    if (!test.constant) {
        compiler_patch(c, test.branch);
    }
    return true;
}

/* --- loops ----------------------------------------------------------------------------------- */

/* The body, with `inside` as the loop that break and continue mean. */
static bool parse_loop_body(compiler *c, loop *inside, const condition *test) {
    loop *outside = c->loop;
    *inside = (loop){.breaks = NO_JUMP, .continues = NO_JUMP};
    c->loop = inside;
    if (!(never(test) ? parse_dropped(c) : parse_governed(c))) {
        return false;
    }
    c->loop = outside;
    compiler_patch_chain(c, inside->continues);
    return true;
}

static void finish_loop(compiler *c, const token *keyword, const loop *inside,
                        const condition *test, uint32_t head) {
    if (!never(test)) {
        compiler_emit_jump(c, keyword, head);
    }
    if (!test->constant) {
        compiler_patch(c, test->branch);
    }
    compiler_patch_chain(c, inside->breaks);
}

static bool parse_while(compiler *c) {
    const token *keyword = c->token++;
    uint32_t head = compiler_position(c);
    condition test;
    loop inside;
    if (!compiler_expect(c, TOKEN_LEFT_PARENTHESIS) || !parse_condition(c, keyword, &test) ||
        !compiler_expect(c, TOKEN_RIGHT_PARENTHESIS) || !parse_loop_body(c, &inside, &test)) {
        return false;
    }
    finish_loop(c, keyword, &inside, &test, head);
    return true;
}

static bool parse_for_start(compiler *c) {
    if (compiler_at(c, TOKEN_LOCAL)) {
        return compile_local(c);
    }
    return (compiler_at(c, TOKEN_SEMICOLON) || compile_simple(c)) &&
           compiler_expect(c, TOKEN_SEMICOLON);
}

/* To the parenthesis that closes the head of a `for`, or to what cannot stand in it. */
static void skip_for_step(compiler *c) {
    uint32_t depth = 0;
    for (;; c->token++) {
        if (compiler_at(c, TOKEN_LEFT_PARENTHESIS)) {
            depth++;
        } else if (compiler_at(c, TOKEN_RIGHT_PARENTHESIS) && depth-- == 0) {
            return;
        } else if (compiler_at(c, TOKEN_END) || compiler_at(c, TOKEN_SEMICOLON)) {
            return;
        }
    }
}

/* The step stands before the body and runs after it: it is parsed when the body is done. */
static bool parse_for_step(compiler *c, const token *step, bool dropped) {
    const token *after = c->token;
    uint32_t registers = c->registers, start = compiler_position(c);
    c->token = step;
    c->unreachable += dropped;
    if (!compiler_at(c, TOKEN_RIGHT_PARENTHESIS) && !compile_simple(c)) {
        return false;
    }
    if (!compiler_expect(c, TOKEN_RIGHT_PARENTHESIS)) {
        return false;
    }
    c->unreachable -= dropped;
    if (dropped) {
        compiler_truncate(c, start);
    }
    c->registers = registers;
    c->token = after;
    return true;
}

static bool parse_for_loop(compiler *c, const token *keyword) {
    uint32_t head = compiler_position(c);
    condition test = {.constant = true, .value = true, .branch = NO_JUMP};
    if ((!compiler_at(c, TOKEN_SEMICOLON) && !parse_condition(c, keyword, &test)) ||
        !compiler_expect(c, TOKEN_SEMICOLON)) {
        return false;
    }
    const token *step = c->token;
    loop inside;
    skip_for_step(c);
    if (!compiler_expect(c, TOKEN_RIGHT_PARENTHESIS) || !parse_loop_body(c, &inside, &test) ||
        !parse_for_step(c, step, never(&test))) {
        return false;
    }
    finish_loop(c, keyword, &inside, &test, head);
    return true;
}

static bool parse_for(compiler *c) {
    const token *keyword = c->token++;
    scope s = open_scope(c);
    if (!compiler_expect(c, TOKEN_LEFT_PARENTHESIS) || !parse_for_start(c) ||
        !parse_for_loop(c, keyword)) {
        return false;
    }
    close_scope(c, s);
    return true;
}

static bool parse_jump(compiler *c) {
    const token *keyword = c->token++;
    if (!c->loop) {
        return compiler_fail(c, keyword, "expected '%s' inside a loop%s", token_word(keyword->kind),
                             c->atomic ? " of the atomic section" : "");
    }
    uint32_t *chain = keyword->kind == TOKEN_BREAK ? &c->loop->breaks : &c->loop->continues;
    *chain = compiler_emit_jump(c, keyword, *chain);
    return compiler_expect(c, TOKEN_SEMICOLON);
}

/* --- atomic sections, statements ------------------------------------------------------------- */

static bool parse_atomic(compiler *c) {
    const token *keyword = c->token++;
    if (c->atomic) {
        return compiler_fail(c, keyword, "expected no 'atomic' inside an atomic section");
    }
    loop *outside = c->loop;
    c->loop = NULL;
    c->atomic = true;
    compiler_emit(c, compiler_instruction(INSTRUCTION_ATOMIC_BEGIN, keyword));
    if (!parse_block(c)) {
        return false;
    }
    compiler_emit(c, compiler_instruction(INSTRUCTION_ATOMIC_END, c->token - 1));
    c->atomic = false;
    c->loop = outside;
    return true;
}

static bool parse_statement(compiler *c) {
    switch (c->token->kind) {
        case TOKEN_SEMICOLON: c->token++; return true;
        case TOKEN_SKIP: c->token++; return compiler_expect(c, TOKEN_SEMICOLON);
        case TOKEN_LEFT_BRACE: return parse_block(c);
        case TOKEN_IF: return parse_if(c);
        case TOKEN_WHILE: return parse_while(c);
        case TOKEN_FOR: return parse_for(c);
        case TOKEN_BREAK:
        case TOKEN_CONTINUE: return parse_jump(c);
        case TOKEN_ATOMIC: return parse_atomic(c);
        default: break;
    }
    if (compiler_at_word(c, "once")) {
        return compile_once(c, parse_block);
    }
    if (compiler_at(c, TOKEN_NAME) || token_is_call(c->token->kind)) {
        return compile_simple(c) && compiler_expect(c, TOKEN_SEMICOLON);
    }
    return compile_operation(c);
}

bool compile_statement(compiler *c) {
    uint32_t registers = c->registers;
    if (c->emitted + compiler_position(c) > INSTRUCTION_LIMIT) {
        return compiler_fail(c, c->token, "expected at most %d instructions in all",
                             INSTRUCTION_LIMIT);
    }
    if (!compiler_enter(c)) {
        return false;
    }
    bool declares = compiler_at(c, TOKEN_LOCAL);
    if (!(declares ? compile_local(c) : parse_statement(c))) {
        return false;
    }
    if (!declares) {
        c->registers = registers;
    }
    compiler_leave(c);
    return true;
}

bool compile_body(compiler *c) {
    if (!parse_block(c)) {
        return false;
    }
    compiler_emit(c, compiler_instruction(INSTRUCTION_END, c->token - 1));
    return true;
}
