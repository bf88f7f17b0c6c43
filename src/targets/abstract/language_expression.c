/* Expressions: parsing, folding of constants, and the instructions that they need.
 *
 * A shared variable in an expression is read where it stands, from left to right, into a
 * temporary; what remains is an expression over registers. */
#include "targets/abstract/language_compiler.h"

/* --- operands -------------------------------------------------------------------------------- */

operand operand_constant(int64_t value) {
    return (operand){.constant = true,
                     .value = value,
                     .expression = EXPRESSION_NONE,
                     .depth = 1,
                     .fresh = REGISTER_NONE};
}

static operand operand_of(uint32_t index, uint32_t depth) {
    return (operand){.expression = index, .depth = depth, .fresh = REGISTER_NONE};
}

operand operand_register(compiler *c, uint32_t number) {
    return operand_of(program_register(c->program, number), 1);
}

uint32_t operand_expression(compiler *c, const operand *o) {
    return o->constant ? program_constant(c->program, o->value) : o->expression;
}

void operand_store(compiler *c, const token *at, const operand *o, uint32_t target) {
    if (o->fresh != REGISTER_NONE) {
        instruction *last = &vector_last(&c->thread.code);
        CHECK(last->result == o->fresh);
        last->result = target;
        return;
    }
    instruction set = compiler_instruction(INSTRUCTION_SET, at);
    set.a = operand_expression(c, o);
    set.result = target;
    compiler_emit(c, set);
}

bool operand_emit(compiler *c, const token *at, instruction i, operand *result) {
    if (!compiler_new_register(c, at, &i.result)) {
        return false;
    }
    compiler_emit(c, i);
    *result = operand_register(c, i.result);
    result->fresh = i.result;
    return true;
}

/* --- operators ------------------------------------------------------------------------------- */

static bool divides(enum expression_kind kind) {
    return kind == EXPRESSION_DIVIDE || kind == EXPRESSION_REMAINDER;
}

static bool fold(compiler *c, const token *operator, enum expression_kind kind, int64_t left,
                 int64_t right, operand *result) {
    int64_t value = 0;
    if (!expression_apply(kind, left, right, &value) && !c->unreachable) {
        return compiler_fail(c, operator, "expected a divisor other than 0");
    }
    *result = operand_constant(value);
    return true;
}

static bool check_depth(compiler *c, const token *at, const operand *o) {
    if (o->depth > EXPRESSION_DEPTH_LIMIT) {
        return compiler_fail(c, at, "expected an expression of at most %d levels",
                             EXPRESSION_DEPTH_LIMIT);
    }
    return true;
}

bool operand_binary(compiler *c, const token *operator, enum expression_kind kind,
                    const operand *left, const operand *right, operand *result) {
    if (left->constant && right->constant) {
        return fold(c, operator, kind, left->value, right->value, result);
    }
    if (divides(kind) && right->constant && right->value == 0 && !c->unreachable) {
        return compiler_fail(c, operator, "expected a divisor other than 0");
    }
    bool may_fail = left->may_fail || right->may_fail || (divides(kind) && !right->constant);
    uint32_t depth = left->depth > right->depth ? left->depth : right->depth;
    uint32_t first = operand_expression(c, left);
    uint32_t second = operand_expression(c, right);
    *result = operand_of(program_expression(c->program, kind, first, second), depth + 1);
    result->may_fail = may_fail;
    return check_depth(c, operator, result);
}

static bool apply_unary(compiler *c, const token *operator, enum expression_kind kind, operand *o) {
    if (o->constant) {
        return fold(c, operator, kind, o->value, 0, o);
    }
    uint32_t applied = program_expression(c->program, kind, o->expression, EXPRESSION_NONE);
    bool may_fail = o->may_fail;
    *o = operand_of(applied, o->depth + 1);
    o->may_fail = may_fail;
    return check_depth(c, operator, o);
}

/* Makes the operand 0 or 1. */
static bool make_boolean(compiler *c, const token *at, operand *o) {
    if (!o->constant) {
        enum expression_kind kind = vector_at(&c->program->expressions, o->expression).kind;
        if (kind == EXPRESSION_NOT || kind >= EXPRESSION_EQUAL) {
            o->fresh = REGISTER_NONE;
            return true;
        }
    }
    operand zero = operand_constant(0), value = *o;
    return operand_binary(c, at, EXPRESSION_NOT_EQUAL, &value, &zero, o);
}

/* --- places ---------------------------------------------------------------------------------- */

/* An index that is known now selects one cell at once. */
static bool apply_constant_index(compiler *c, const token *at, const token *name, int64_t low,
                                 int64_t value, place *where) {
    uint64_t offset = (uint64_t)value - (uint64_t)low;
    bool inside = value >= low && offset < where->count;
    if (!inside && !c->unreachable) {
        if (where->count == 0) {
            return compiler_fail(c, at, "expected no index, '%.*s' is empty, found %lld",
                                 (int)name->length, name->text, (long long)value);
        }
        return compiler_fail(c, at, "expected an index of '%.*s' in %lld..%lld, found %lld",
                             (int)name->length, name->text, (long long)low,
                             (long long)(low + where->count - 1), (long long)value);
    }
    where->first += inside ? (uint32_t)offset : 0;
    where->count = 1;
    return true;
}

bool compile_index(compiler *c, const token *name, int64_t low, place *where) {
    const token *at = c->token;
    operand index, base = operand_constant(low);
    if (!compile_expression(c, &index)) {
        return false;
    }
    if (index.constant) {
        return apply_constant_index(c, at, name, low, index.value, where);
    }
    operand offset = index;
    if (low != 0 && !operand_binary(c, at, EXPRESSION_SUBTRACT, &index, &base, &offset)) {
        return false;
    }
    if (where->count == 1) { /* the index of a single cell is not looked at when it runs */
        operand zero = operand_constant(0), is_zero;
        if (!operand_binary(c, at, EXPRESSION_EQUAL, &offset, &zero, &is_zero)) {
            return false;
        }
        compiler_emit_condition(c, INSTRUCTION_ASSERT, at, is_zero.expression);
    }
    where->index = operand_expression(c, &offset);
    return true;
}

bool compile_place_of(compiler *c, const token *name, const symbol *named, place *where) {
    *where = (place){.first = named->first, .count = named->count, .index = EXPRESSION_NONE};
    if (!named->array) {
        if (compiler_at(c, TOKEN_LEFT_BRACKET)) {
            return compiler_fail(c, c->token, "expected no '[', '%.*s' is not an array",
                                 (int)name->length, name->text);
        }
        return true;
    }
    if (!compiler_at(c, TOKEN_LEFT_BRACKET)) {
        return compiler_fail(c, c->token, "expected '[', '%.*s' is an array", (int)name->length,
                             name->text);
    }
    c->token++;
    return compile_index(c, name, 0, where) && compiler_expect(c, TOKEN_RIGHT_BRACKET);
}

bool compile_place(compiler *c, enum symbol_kind kind, place *where) {
    const token *name;
    symbol found;
    return compiler_expect_name(c, &name) &&
           compiler_lookup(c, name, 1u << kind, symbol_kind_words(kind), &found) &&
           compile_place_of(c, name, &found, where);
}

/* --- calls that give a value ----------------------------------------------------------------- */

static bool parse_cell(compiler *c, enum symbol_kind kind, place *where) {
    return compiler_expect(c, TOKEN_LEFT_PARENTHESIS) && compile_place(c, kind, where);
}

static bool parse_argument(compiler *c, uint32_t *value) {
    operand argument;
    if (!compiler_expect(c, TOKEN_COMMA) || !compile_expression(c, &argument)) {
        return false;
    }
    *value = operand_expression(c, &argument);
    return true;
}

static bool parse_update(compiler *c, instruction *i) {
    return parse_cell(c, SYMBOL_VARIABLE, &i->cell) && parse_argument(c, &i->a);
}

static bool parse_cas(compiler *c, instruction *i) {
    return parse_update(c, i) && parse_argument(c, &i->b);
}

static bool parse_trylock(compiler *c, instruction *i) {
    return parse_cell(c, SYMBOL_MUTEX, &i->cell);
}

static bool parse_timed_wait(compiler *c, instruction *i) {
    return parse_cell(c, SYMBOL_CONDITION, &i->cell) && compiler_expect(c, TOKEN_COMMA) &&
           compile_place(c, SYMBOL_MUTEX, &i->mutex);
}

static bool parse_choose(compiler *c, instruction *i) {
    int64_t count = 0;
    if (!compiler_expect(c, TOKEN_LEFT_PARENTHESIS)) {
        return false;
    }
    const token *at = c->token;
    if (!compile_constant(c, "the number of alternatives", &count)) {
        return false;
    }
    if ((count < 1 || count > CHOICE_LIMIT) && !c->unreachable) {
        return compiler_fail(c, at, "expected between 1 and %d alternatives, found %lld",
                             CHOICE_LIMIT, (long long)count);
    }
    i->a = program_constant(c->program, count);
    return true;
}

typedef struct call_form {
    enum token_kind keyword;
    enum instruction_kind kind;
    bool (*parse)(compiler *, instruction *); /* '(' and the arguments */
    bool in_atomic;                           /* may stand in an atomic section */
} call_form;

static const call_form calls[] = {
    {TOKEN_FETCH_ADD, INSTRUCTION_ADD, parse_update, true},
    {TOKEN_EXCHANGE, INSTRUCTION_EXCHANGE, parse_update, true},
    {TOKEN_CAS, INSTRUCTION_CAS, parse_cas, true},
    {TOKEN_TRYLOCK, INSTRUCTION_TRYLOCK, parse_trylock, false},
    {TOKEN_TIMED_WAIT, INSTRUCTION_TIMED_WAIT, parse_timed_wait, false},
    {TOKEN_CHOOSE, INSTRUCTION_CHOOSE, parse_choose, true},
};

static const call_form *find_call(enum token_kind keyword) {
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (calls[i].keyword == keyword) {
            return &calls[i];
        }
    }
    return NULL;
}

bool token_is_call(enum token_kind kind) {
    return find_call(kind) != NULL;
}

bool compile_call(compiler *c, operand *result) {
    const token *keyword = c->token++;
    const call_form *form = find_call(keyword->kind);
    if (!c->in_thread) {
        return compiler_fail(c, keyword, "expected a constant, found '%s'",
                             token_word(keyword->kind));
    }
    if (c->atomic && !form->in_atomic) {
        return compiler_fail(c, keyword, "expected no '%s' in an atomic section",
                             token_word(keyword->kind));
    }
    instruction i = compiler_instruction(form->kind, keyword);
    bool ordered =
        i.kind == INSTRUCTION_ADD || i.kind == INSTRUCTION_EXCHANGE || i.kind == INSTRUCTION_CAS;
    return form->parse(c, &i) && (!ordered || compile_order(c, &i)) &&
           compiler_expect(c, TOKEN_RIGHT_PARENTHESIS) && operand_emit(c, keyword, i, result);
}

/* --- parsing --------------------------------------------------------------------------------- */

static bool parse_name(compiler *c, operand *result) {
    const token *name = c->token++;
    uint32_t constants = 1u << SYMBOL_PARAMETER | 1u << SYMBOL_INDEX;
    uint32_t values = constants | 1u << SYMBOL_LOCAL | 1u << SYMBOL_VARIABLE;
    symbol found;
    if (!compiler_lookup(c, name, c->in_thread ? values : constants,
                         c->in_thread ? "a value" : "a constant", &found)) {
        return false;
    }
    if (found.kind == SYMBOL_VARIABLE) {
        instruction read = compiler_instruction(INSTRUCTION_READ, name);
        return compile_place_of(c, name, &found, &read.cell) && operand_emit(c, name, read, result);
    }
    *result = found.kind == SYMBOL_LOCAL ? operand_register(c, found.first)
                                         : operand_constant(found.value);
    if (compiler_at(c, TOKEN_LEFT_BRACKET)) {
        return compiler_fail(c, c->token, "expected no '[', '%.*s' is not an array",
                             (int)name->length, name->text);
    }
    return true;
}

static bool parse_primary(compiler *c, operand *result) {
    if (compiler_at(c, TOKEN_NUMBER)) {
        *result = operand_constant(c->token->value);
        c->token++;
        return true;
    }
    if (compiler_at_message(c)) {
        return compile_message_value(c, result);
    }
    if (compiler_at_sync(c)) {
        return compile_sync_value(c, result);
    }
    if (compiler_at_load(c)) {
        return compile_load(c, result);
    }
    if (compiler_at(c, TOKEN_NAME)) {
        return parse_name(c, result);
    }
    if (token_is_call(c->token->kind)) {
        return compile_call(c, result);
    }
    if (compiler_accept(c, TOKEN_LEFT_PARENTHESIS)) {
        return compile_expression(c, result) && compiler_expect(c, TOKEN_RIGHT_PARENTHESIS);
    }
    return compiler_fail_expected(c, "an expression");
}

static bool parse_unary(compiler *c, operand *result) {
    const token *operator= c->token;
    bool negate = operator->kind == TOKEN_MINUS;
    if (!negate && operator->kind != TOKEN_NOT) {
        return parse_primary(c, result);
    }
    c->token++;
    if (!compiler_enter(c) || !parse_unary(c, result)) {
        return false;
    }
    compiler_leave(c);
    return apply_unary(c, operator, negate ? EXPRESSION_NEGATE : EXPRESSION_NOT, result);
}

typedef struct operator_form {
    enum token_kind token;
    enum expression_kind kind;
    uint32_t precedence; /* a higher one binds more tightly */
} operator_form;

static const operator_form operators[] = {
    {TOKEN_OR, EXPRESSION_OR, 1},
    {TOKEN_AND, EXPRESSION_AND, 2},
    {TOKEN_EQUAL, EXPRESSION_EQUAL, 3},
    {TOKEN_NOT_EQUAL, EXPRESSION_NOT_EQUAL, 3},
    {TOKEN_LESS, EXPRESSION_LESS, 4},
    {TOKEN_LESS_EQUAL, EXPRESSION_LESS_EQUAL, 4},
    {TOKEN_GREATER, EXPRESSION_GREATER, 4},
    {TOKEN_GREATER_EQUAL, EXPRESSION_GREATER_EQUAL, 4},
    {TOKEN_PLUS, EXPRESSION_ADD, 5},
    {TOKEN_MINUS, EXPRESSION_SUBTRACT, 5},
    {TOKEN_STAR, EXPRESSION_MULTIPLY, 6},
    {TOKEN_SLASH, EXPRESSION_DIVIDE, 6},
    {TOKEN_PERCENT, EXPRESSION_REMAINDER, 6},
};

static const operator_form *find_operator(enum token_kind kind) {
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        if (operators[i].token == kind) {
            return &operators[i];
        }
    }
    return NULL;
}

bool token_comparison(enum token_kind kind, enum expression_kind *comparison) {
    const operator_form *form = find_operator(kind);
    if (!form || form->kind < EXPRESSION_EQUAL || form->kind > EXPRESSION_GREATER_EQUAL) {
        return false;
    }
    *comparison = form->kind;
    return true;
}

static bool parse_binary(compiler *c, uint32_t precedence, operand *result);

/* The left side is known now and decides alone, or not at all. */
static bool parse_logical_constant(compiler *c, const token *at, const operator_form *form,
                                   operand *result) {
    bool decides = (result->value != 0) == (form->kind == EXPRESSION_OR);
    if (!decides) {
        return parse_binary(c, form->precedence + 1, result) && make_boolean(c, at, result);
    }
    uint32_t start = compiler_position(c);
    operand ignored;
    c->unreachable++;
    if (!parse_binary(c, form->precedence + 1, &ignored)) {
        return false;
    }
    c->unreachable--;
    compiler_truncate(c, start);
    *result = operand_constant(form->kind == EXPRESSION_OR);
    return true;
}

/* t := left; if it decides, skip the next two; code of right; t := right. */
static bool parse_short_circuit(compiler *c, const token *at, const operator_form *form,
                                operand *result) {
    uint32_t start = compiler_position(c), target;
    operand left = *result, right;
    if (!make_boolean(c, at, &left) || !compiler_new_register(c, at, &target)) {
        return false;
    }
    operand_store(c, at, &left, target);
    operand goes_on = operand_register(c, target);
    if (form->kind == EXPRESSION_OR && !apply_unary(c, at, EXPRESSION_NOT, &goes_on)) {
        return false;
    }
    uint32_t branch =
        compiler_emit_condition(c, INSTRUCTION_BRANCH, at, operand_expression(c, &goes_on));
    uint32_t right_start = compiler_position(c);
    if (!parse_binary(c, form->precedence + 1, &right)) {
        return false;
    }
    if (compiler_position(c) == right_start && !right.may_fail) { /* nothing worth skipping */
        compiler_truncate(c, start);
        return operand_binary(c, at, form->kind, result, &right, result);
    }
    if (!make_boolean(c, at, &right)) {
        return false;
    }
    operand_store(c, at, &right, target);
    compiler_patch(c, branch);
    *result = operand_register(c, target);
    return true;
}

static bool parse_right_side(compiler *c, const token *at, const operator_form *form,
                             operand *result) {
    if (form->kind == EXPRESSION_AND || form->kind == EXPRESSION_OR) {
        return result->constant ? parse_logical_constant(c, at, form, result)
                                : parse_short_circuit(c, at, form, result);
    }
    operand left = *result, right;
    return parse_binary(c, form->precedence + 1, &right) &&
           operand_binary(c, at, form->kind, &left, &right, result);
}

/* Operators of this precedence and above; all associate to the left. */
static bool parse_binary(compiler *c, uint32_t precedence, operand *result) {
    if (!parse_unary(c, result)) {
        return false;
    }
    for (;;) {
        const token *at = c->token;
        const operator_form *form = find_operator(at->kind);
        if (!form || form->precedence < precedence) {
            return true;
        }
        c->token++;
        if (!parse_right_side(c, at, form, result)) {
            return false;
        }
    }
}

bool compile_expression(compiler *c, operand *result) {
    if (!compiler_enter(c) || !parse_binary(c, 1, result)) {
        return false;
    }
    compiler_leave(c);
    return true;
}

bool compile_constant(compiler *c, const char *what, int64_t *value) {
    const token *at = c->token;
    operand result;
    if (!compile_expression(c, &result)) {
        return false;
    }
    if (!result.constant) {
        return compiler_fail(c, at, "expected a constant for %s", what);
    }
    *value = result.value;
    return true;
}
