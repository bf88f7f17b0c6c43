/* Messages: send(q, tag, value), receive(tag, …), value(), sender(). */
#include <string.h>

#include "targets/abstract/language_compiler.h"

/* Where a receive leaves what it took, besides the tag, in every thread that receives. */
#define VALUE_REGISTER  0
#define SENDER_REGISTER 1

/* What a receive gives when it does not find a message. */
#define TIMED_OUT (-1)

/* --- words ----------------------------------------------------------------------------------- */

/* Every list of tokens ends with TOKEN_END: there is one after a name. */
static bool is_call(const token *at, const char *word) {
    return token_is_word(at, word) && at[1].kind == TOKEN_LEFT_PARENTHESIS;
}

static bool uses_message(const token *at) {
    return is_call(at, "receive") || is_call(at, "value") || is_call(at, "sender");
}

bool compiler_at_message(const compiler *c) {
    return uses_message(c->token) || is_call(c->token, "send");
}

void compile_message_registers(compiler *c, const token *body) {
    uint32_t depth = 0;
    for (const token *at = body; at->kind != TOKEN_END; at++) {
        depth += at->kind == TOKEN_LEFT_BRACE;
        depth -= at->kind == TOKEN_RIGHT_BRACE;
        if (depth == 0) {
            return;
        }
        if (uses_message(at)) {
            c->registers = c->thread.register_count = SENDER_REGISTER + 1;
            return;
        }
    }
}

static bool check_place(compiler *c, const token *word) {
    if (!c->in_thread) {
        return compiler_fail(c, word, "expected a constant, found '%.*s'", (int)word->length,
                             word->text);
    }
    if (c->atomic) {
        return compiler_fail(c, word, "expected no '%.*s' in an atomic section", (int)word->length,
                             word->text);
    }
    return true;
}

/* --- receive --------------------------------------------------------------------------------- */

/* (tag, …) or () */
static bool parse_pattern(compiler *c, pattern *result) {
    uint32_t tags[PATTERN_LIMIT], count = 0;
    if (!compiler_expect(c, TOKEN_LEFT_PARENTHESIS)) {
        return false;
    }
    while (!compiler_at(c, TOKEN_RIGHT_PARENTHESIS)) {
        operand tag;
        if (count == PATTERN_LIMIT) {
            return compiler_fail(c, c->token, "expected at most %d tags", PATTERN_LIMIT);
        }
        if ((count && !compiler_expect(c, TOKEN_COMMA)) || !compile_expression(c, &tag)) {
            return false;
        }
        tags[count++] = operand_expression(c, &tag);
    }
    *result = program_pattern(c->program, tags, count);
    return compiler_expect(c, TOKEN_RIGHT_PARENTHESIS);
}

/* after 0 */
static bool parse_after(compiler *c, instruction *i) {
    if (!token_is_word(c->token, "after")) {
        return true;
    }
    c->token++;
    if (!compiler_at(c, TOKEN_NUMBER) || c->token->value != 0) {
        return compiler_fail_expected(c, "'0', the only time-out");
    }
    c->token++;
    i->kind = INSTRUCTION_POLL;
    i->a = program_constant(c->program, TIMED_OUT);
    return true;
}

static bool parse_receive(compiler *c, const token *word, operand *result) {
    instruction i = compiler_instruction(INSTRUCTION_RECEIVE, word);
    i.value = VALUE_REGISTER;
    i.sender = SENDER_REGISTER;
    return parse_pattern(c, &i.pattern) && parse_after(c, &i) && operand_emit(c, word, i, result);
}

/* A copy: a later receive of the same expression must not change it. */
static bool parse_part(compiler *c, const token *word, uint32_t number, operand *result) {
    instruction i = compiler_instruction(INSTRUCTION_SET, word);
    i.a = program_register(c->program, number);
    return compiler_expect(c, TOKEN_LEFT_PARENTHESIS) &&
           compiler_expect(c, TOKEN_RIGHT_PARENTHESIS) && operand_emit(c, word, i, result);
}

bool compile_message_value(compiler *c, operand *result) {
    const token *word = c->token++;
    if (token_is_word(word, "send")) {
        return compiler_fail(c, word, "expected a value, 'send' has no value");
    }
    if (token_is_word(word, "receive")) {
        return check_place(c, word) && parse_receive(c, word, result);
    }
    if (!c->in_thread) {
        return check_place(c, word);
    }
    uint32_t number = token_is_word(word, "value") ? VALUE_REGISTER : SENDER_REGISTER;
    return parse_part(c, word, number, result);
}

/* --- send ------------------------------------------------------------------------------------ */

/* (thread, tag) or (thread, tag, value) */
static bool parse_send(compiler *c) {
    const token *word = c->token++, *name;
    instruction i = compiler_instruction(INSTRUCTION_SEND, word);
    operand tag, value = operand_constant(0);
    symbol thread;
    if (!check_place(c, word) || !compiler_expect(c, TOKEN_LEFT_PARENTHESIS) ||
        !compile_thread_place(c, &name, &thread, &i.cell) || !compiler_expect(c, TOKEN_COMMA) ||
        !compile_expression(c, &tag)) {
        return false;
    }
    if (compiler_accept(c, TOKEN_COMMA) && !compile_expression(c, &value)) {
        return false;
    }
    i.a = operand_expression(c, &tag);
    i.b = operand_expression(c, &value);
    compiler_emit(c, i);
    return compiler_expect(c, TOKEN_RIGHT_PARENTHESIS);
}

bool compile_message_statement(compiler *c) {
    if (token_is_word(c->token, "send")) {
        return parse_send(c);
    }
    operand ignored;
    if (!compile_message_value(c, &ignored)) {
        return false;
    }
    vector_last(&c->thread.code).result = REGISTER_NONE;
    return true;
}
