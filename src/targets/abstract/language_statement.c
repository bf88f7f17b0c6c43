/* Statements that are operations of a thread: assignments, calls, declarations of locals. */
#include "targets/abstract/language_compiler.h"

/* --- assignments ----------------------------------------------------------------------------- */

/* What stands left of an assignment: a local variable or a shared place. */
typedef struct destination {
    const token *name;
    bool shared;
    uint32_t local; /* register */
    place cell;
} destination;

static bool parse_destination(compiler *c, destination *to) {
    symbol found;
    uint32_t kinds = 1u << SYMBOL_LOCAL | 1u << SYMBOL_VARIABLE;
    *to = (destination){.name = c->token};
    if (!compiler_expect_name(c, &to->name) ||
        !compiler_lookup(c, to->name, kinds, "a variable to assign to", &found)) {
        return false;
    }
    to->shared = found.kind == SYMBOL_VARIABLE;
    to->local = found.first;
    return compile_place_of(c, to->name, &found, &to->cell);
}

static bool load(compiler *c, const destination *from, operand *value) {
    if (!from->shared) {
        *value = operand_register(c, from->local);
        return true;
    }
    instruction read = compiler_instruction(INSTRUCTION_READ, from->name);
    read.cell = from->cell;
    if (!compiler_new_register(c, from->name, &read.result)) {
        return false;
    }
    compiler_emit(c, read);
    *value = operand_register(c, read.result);
    return true;
}

static bool store(compiler *c, const destination *to, const operand *value) {
    if (!to->shared) {
        operand_store(c, to->name, value, to->local);
        return true;
    }
    instruction write = compiler_instruction(INSTRUCTION_WRITE, to->name);
    write.cell = to->cell;
    write.a = operand_expression(c, value);
    compiler_emit(c, write);
    return true;
}

/* x += e, x -= e, x++ and x--: read, then the reads of e, then write. */
static bool parse_update(compiler *c, const destination *to, enum expression_kind kind,
                         bool by_one) {
    const token *operator= c->token++;
    operand old, amount = operand_constant(1), sum;
    return load(c, to, &old) && (by_one || compile_expression(c, &amount)) &&
           operand_binary(c, operator, kind, &old, &amount, &sum) && store(c, to, &sum);
}

/* --- ranges ---------------------------------------------------------------------------------- */

/* The next tokens are a name and a range in brackets. */
static bool at_range(const compiler *c) {
    if (!compiler_at(c, TOKEN_NAME) || c->token[1].kind != TOKEN_LEFT_BRACKET) {
        return false;
    }
    uint32_t depth = 0;
    for (const token *at = c->token + 2; at->kind != TOKEN_END; at++) {
        if (at->kind == TOKEN_RANGE && depth == 0) {
            return true;
        }
        if (at->kind == TOKEN_SEMICOLON || (at->kind == TOKEN_RIGHT_BRACKET && depth-- == 0)) {
            return false;
        }
        depth += at->kind == TOKEN_LEFT_BRACKET;
    }
    return false;
}

/* a[from..to] of constants: its first cell and how many there are. */
static bool parse_range(compiler *c, uint32_t *first, uint32_t *length) {
    const token *name = c->token;
    symbol found;
    int64_t from, to;
    c->token += 2;
    if (!compiler_lookup(c, name, 1u << SYMBOL_VARIABLE, "a shared array", &found) ||
        !compile_constant(c, "the start of the range", &from) || !compiler_expect(c, TOKEN_RANGE) ||
        !compile_constant(c, "the end of the range", &to) ||
        !compiler_expect(c, TOKEN_RIGHT_BRACKET)) {
        return false;
    }
    bool outside = from < 0 || from > to || to >= (int64_t)found.count;
    if (!found.array || (outside && !c->unreachable)) {
        return compiler_fail(c, name, "expected a range of elements of an array");
    }
    *first = found.first + (uint32_t)from;
    *length = (uint32_t)(to - from) + 1;
    return true;
}

/* a[i..j] = e and a[i..j] = b[k..l]: one step. */
static bool parse_range_assignment(compiler *c) {
    instruction i = compiler_instruction(INSTRUCTION_FILL, c->token);
    operand value;
    uint32_t length;
    i.cell = (place){.count = 1, .index = EXPRESSION_NONE};
    if (!parse_range(c, &i.cell.first, &i.length) || !compiler_expect(c, TOKEN_ASSIGN)) {
        return false;
    }
    if (at_range(c)) {
        const token *source = c->token;
        i.kind = INSTRUCTION_COPY;
        if (!parse_range(c, &i.source, &length)) {
            return false;
        }
        if (length != i.length) {
            return compiler_fail(c, source, "expected a range of the same length");
        }
    } else if (!compile_expression(c, &value)) {
        return false;
    } else {
        i.a = operand_expression(c, &value);
    }
    compiler_emit(c, i);
    return true;
}

/* --- assignments ----------------------------------------------------------------------------- */

static bool parse_assignment(compiler *c) {
    if (at_range(c)) {
        return parse_range_assignment(c);
    }
    destination to;
    if (!parse_destination(c, &to)) {
        return false;
    }
    switch (c->token->kind) {
        case TOKEN_ADD_ASSIGN: return parse_update(c, &to, EXPRESSION_ADD, false);
        case TOKEN_SUBTRACT_ASSIGN: return parse_update(c, &to, EXPRESSION_SUBTRACT, false);
        case TOKEN_INCREMENT: return parse_update(c, &to, EXPRESSION_ADD, true);
        case TOKEN_DECREMENT: return parse_update(c, &to, EXPRESSION_SUBTRACT, true);
        default: break;
    }
    operand value;
    if (!compiler_accept(c, TOKEN_ASSIGN)) {
        return compiler_fail_expected(c, "an assignment ('=', '+=', '-=', '++' or '--')");
    }
    return compile_expression(c, &value) && store(c, &to, &value);
}

/* A call as a statement: what it returns is dropped. */
static bool parse_call(compiler *c) {
    operand ignored;
    if (!compile_call(c, &ignored)) {
        return false;
    }
    vector_last(&c->thread.code).result = REGISTER_NONE;
    return true;
}

/* --- initialisation and destruction ---------------------------------------------------------- */

/* init(m) and destroy(m), of a mutex or a condition. */
static bool parse_change(compiler *c) {
    bool init = compiler_at_word(c, "init");
    instruction i = compiler_instruction(init ? INSTRUCTION_INIT : INSTRUCTION_DESTROY, c->token);
    const token *name;
    symbol found;
    if (c->atomic) {
        return compiler_fail(c, c->token, "expected no '%s' in an atomic section",
                             init ? "init" : "destroy");
    }
    c->token += 2;
    if (!compiler_expect_name(c, &name) ||
        !compiler_lookup(c, name, 1u << SYMBOL_MUTEX | 1u << SYMBOL_CONDITION,
                         "a mutex or a condition", &found) ||
        !compile_place_of(c, name, &found, &i.cell)) {
        return false;
    }
    compiler_emit(c, i);
    return compiler_expect(c, TOKEN_RIGHT_PARENTHESIS);
}

bool compile_simple(compiler *c) {
    if (compiler_at_word(c, "init") || compiler_at_word(c, "destroy")) {
        return parse_change(c);
    }
    if (compiler_at_message(c)) {
        return compile_message_statement(c);
    }
    if (compiler_at_sync(c)) {
        return compile_sync_statement(c);
    }
    if (compiler_at_store(c)) {
        return compile_store(c);
    }
    return token_is_call(c->token->kind) ? parse_call(c) : parse_assignment(c);
}

/* --- locals ---------------------------------------------------------------------------------- */

/* The name is known only after its own declarator, and its register lies below the temporaries
 * of its initial value, which end here. */
static bool parse_local_declarator(compiler *c) {
    symbol local = {.kind = SYMBOL_LOCAL, .count = 1};
    operand value = operand_constant(0);
    if (!compiler_expect_name(c, &local.name) ||
        !compiler_new_register(c, local.name, &local.first)) {
        return false;
    }
    if (compiler_at(c, TOKEN_LEFT_BRACKET)) {
        return compiler_fail(c, c->token, "expected no '[', there are no local arrays");
    }
    if (compiler_accept(c, TOKEN_ASSIGN) && !compile_expression(c, &value)) {
        return false;
    }
    operand_store(c, local.name, &value, local.first);
    c->registers = local.first + 1;
    c->locals = c->registers;
    return compiler_declare(c, local);
}

bool compile_local(compiler *c) {
    c->token++;
    do {
        if (!parse_local_declarator(c)) {
            return false;
        }
    } while (compiler_accept(c, TOKEN_COMMA));
    return compiler_expect(c, TOKEN_SEMICOLON);
}

/* --- operations ------------------------------------------------------------------------------ */

/* The arguments of the operation `i`, parentheses included; emits it. */
static bool parse_mutex(compiler *c, instruction i) {
    if (!compiler_expect(c, TOKEN_LEFT_PARENTHESIS) || !compile_place(c, SYMBOL_MUTEX, &i.cell)) {
        return false;
    }
    compiler_emit(c, i);
    return compiler_expect(c, TOKEN_RIGHT_PARENTHESIS);
}

static bool parse_condition(compiler *c, instruction i) {
    if (!compiler_expect(c, TOKEN_LEFT_PARENTHESIS) ||
        !compile_place(c, SYMBOL_CONDITION, &i.cell) ||
        (i.kind == INSTRUCTION_WAIT &&
         (!compiler_expect(c, TOKEN_COMMA) || !compile_place(c, SYMBOL_MUTEX, &i.mutex)))) {
        return false;
    }
    compiler_emit(c, i);
    return compiler_expect(c, TOKEN_RIGHT_PARENTHESIS);
}

static bool parse_claim(compiler *c, instruction i) {
    operand value;
    if (!compiler_expect(c, TOKEN_LEFT_PARENTHESIS) || !compile_expression(c, &value)) {
        return false;
    }
    i.a = operand_expression(c, &value);
    compiler_emit(c, i);
    return compiler_expect(c, TOKEN_RIGHT_PARENTHESIS);
}

/* await(place) or await(place COMPARISON expression) */
static bool parse_await(compiler *c, instruction i) {
    operand value = operand_constant(0);
    i.compare = EXPRESSION_NOT_EQUAL;
    if (!compiler_expect(c, TOKEN_LEFT_PARENTHESIS) ||
        !compile_place(c, SYMBOL_VARIABLE, &i.cell)) {
        return false;
    }
    if (token_comparison(c->token->kind, &i.compare)) {
        c->token++;
        if (!compile_expression(c, &value)) {
            return false;
        }
    } else if (!compiler_at(c, TOKEN_RIGHT_PARENTHESIS) && !compiler_at(c, TOKEN_COMMA)) {
        return compiler_fail_expected(c, "a comparison or ')'");
    }
    i.a = operand_expression(c, &value);
    if (!compile_order(c, &i)) {
        return false;
    }
    compiler_emit(c, i);
    return compiler_expect(c, TOKEN_RIGHT_PARENTHESIS);
}

static bool parse_thread_index(compiler *c, const token *name, const symbol *thread, place *where) {
    int length = (int)name->length;
    if (!thread->array) {
        return !compiler_at(c, TOKEN_LEFT_PARENTHESIS) ||
               compiler_fail(c, c->token, "expected no '(', there is only one thread '%.*s'",
                             length, name->text);
    }
    if (!compiler_at(c, TOKEN_LEFT_PARENTHESIS)) {
        return compiler_fail(c, c->token, "expected '(', '%.*s' is a replicated thread", length,
                             name->text);
    }
    c->token++;
    return compile_index(c, name, thread->value, where) &&
           compiler_expect(c, TOKEN_RIGHT_PARENTHESIS);
}

bool compile_thread_place(compiler *c, const token **name, symbol *thread, place *where) {
    if (!compiler_expect_name(c, name) ||
        !compiler_lookup(c, *name, 1u << SYMBOL_THREAD, "a thread", thread)) {
        return false;
    }
    *where = (place){.first = thread->first, .count = thread->count, .index = EXPRESSION_NONE};
    return parse_thread_index(c, *name, thread, where);
}

/* spawn q; join q(i + 1); */
static bool parse_thread(compiler *c, instruction i) {
    const token *name;
    symbol thread;
    if (!compile_thread_place(c, &name, &thread, &i.cell)) {
        return false;
    }
    if (i.kind == INSTRUCTION_SPAWN && thread.starts) {
        return compiler_fail(c, name, "expected a spawned thread, '%.*s' starts by itself",
                             (int)name->length, name->text);
    }
    compiler_emit(c, i);
    return true;
}

typedef struct operation_form {
    enum token_kind keyword;
    enum instruction_kind kind;
    bool (*parse)(compiler *, instruction);
} operation_form;

static const operation_form operations[] = {
    {TOKEN_LOCK, INSTRUCTION_LOCK, parse_mutex},
    {TOKEN_UNLOCK, INSTRUCTION_UNLOCK, parse_mutex},
    {TOKEN_WAIT, INSTRUCTION_WAIT, parse_condition},
    {TOKEN_SIGNAL, INSTRUCTION_SIGNAL, parse_condition},
    {TOKEN_BROADCAST, INSTRUCTION_BROADCAST, parse_condition},
    {TOKEN_SPAWN, INSTRUCTION_SPAWN, parse_thread},
    {TOKEN_JOIN, INSTRUCTION_JOIN, parse_thread},
    {TOKEN_AWAIT, INSTRUCTION_AWAIT, parse_await},
    {TOKEN_ASSUME, INSTRUCTION_ASSUME, parse_claim},
    {TOKEN_ASSERT, INSTRUCTION_ASSERT, parse_claim},
};

static bool is_local(enum instruction_kind kind) {
    return kind == INSTRUCTION_ASSUME || kind == INSTRUCTION_ASSERT;
}

bool compile_operation(compiler *c) {
    const token *keyword = c->token;
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        const operation_form *form = &operations[i];
        if (form->keyword != keyword->kind) {
            continue;
        }
        if (c->atomic && !is_local(form->kind)) {
            return compiler_fail(c, keyword, "expected no '%s' in an atomic section",
                                 token_word(keyword->kind));
        }
        c->token++;
        return form->parse(c, compiler_instruction(form->kind, keyword)) &&
               compiler_expect(c, TOKEN_SEMICOLON);
    }
    return compiler_fail_expected(c, "a statement");
}
