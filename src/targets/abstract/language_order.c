/* Memory orders: load, store and fence, whose words are not reserved, and the last arguments of
 * fetch_add, exchange, cas and await. */
#include <string.h>

#include "targets/abstract/language_compiler.h"

static bool parse_order(compiler *c, uint8_t *order) {
    char word[16];
    const token *at = c->token;
    enum access_order found;
    bool known = compiler_at(c, TOKEN_NAME) && at->length < sizeof word;
    if (known) {
        memcpy(word, at->text, at->length);
        word[at->length] = 0;
        known = access_order_of(word, &found);
    }
    if (!known) {
        return compiler_fail_expected(
            c, "a memory order (relaxed, acquire, release, acq_rel or seq_cst)");
    }
    *order = (uint8_t)found;
    c->token++;
    return true;
}

static bool check_order(compiler *c, const token *at, const instruction *i) {
    const char *why = program_order_error(i);
    if (c->atomic) {
        return compiler_fail(c, at, "expected no memory order in an atomic section");
    }
    return !why || compiler_fail(c, at, "%s", why);
}

bool compile_order(compiler *c, instruction *i) {
    const token *at = c->token + 1;
    if (!compiler_accept(c, TOKEN_COMMA)) {
        return true;
    }
    if (!parse_order(c, &i->order)) {
        return false;
    }
    i->failure = (uint8_t)access_order_failing(i->order);
    if (i->kind == INSTRUCTION_CAS && compiler_accept(c, TOKEN_COMMA) &&
        !parse_order(c, &i->failure)) {
        return false;
    }
    return check_order(c, at, i);
}

bool compiler_at_load(const compiler *c) {
    return compiler_at_word(c, "load");
}

bool compiler_at_store(const compiler *c) {
    return compiler_at_word(c, "store") || compiler_at_word(c, "fence");
}

bool compile_load(compiler *c, operand *result) {
    const token *word = c->token++;
    instruction i = compiler_instruction(INSTRUCTION_READ, word);
    if (!c->in_thread) {
        return compiler_fail(c, word, "expected a constant, found 'load'");
    }
    return compiler_expect(c, TOKEN_LEFT_PARENTHESIS) &&
           compile_place(c, SYMBOL_VARIABLE, &i.cell) && compile_order(c, &i) &&
           compiler_expect(c, TOKEN_RIGHT_PARENTHESIS) && operand_emit(c, word, i, result);
}

static bool parse_store(compiler *c, instruction *i) {
    operand value;
    if (!compile_place(c, SYMBOL_VARIABLE, &i->cell) || !compiler_expect(c, TOKEN_COMMA) ||
        !compile_expression(c, &value)) {
        return false;
    }
    i->a = operand_expression(c, &value);
    return compile_order(c, i);
}

static bool parse_fence(compiler *c, instruction *i) {
    const token *at = c->token;
    if (c->atomic) {
        return compiler_fail(c, at, "expected no 'fence' in an atomic section");
    }
    return compiler_at(c, TOKEN_RIGHT_PARENTHESIS) ||
           (parse_order(c, &i->order) && check_order(c, at, i));
}

bool compile_store(compiler *c) {
    bool stores = compiler_at_word(c, "store");
    instruction i = compiler_instruction(stores ? INSTRUCTION_WRITE : INSTRUCTION_FENCE, c->token);
    c->token++;
    if (!compiler_expect(c, TOKEN_LEFT_PARENTHESIS) ||
        !(stores ? parse_store(c, &i) : parse_fence(c, &i)) ||
        !compiler_expect(c, TOKEN_RIGHT_PARENTHESIS)) {
        return false;
    }
    compiler_emit(c, i);
    return true;
}
