/* Semaphores, read-write locks, barriers and onces. Their words are not reserved: a declaration
 * begins with a keyword otherwise, and names of variables are never followed by a parenthesis. */
#include <string.h>

#include "targets/abstract/language_compiler.h"

/* --- declarations ---------------------------------------------------------------------------- */

static const struct {
    const char *word;
    enum symbol_kind kind;
} declarations[] = {{"semaphore", SYMBOL_SEMAPHORE},
                    {"rwlock", SYMBOL_RWLOCK},
                    {"barrier", SYMBOL_BARRIER},
                    {"once", SYMBOL_ONCE}};

bool compiler_at_sync_declaration(const compiler *c, enum symbol_kind *kind) {
    for (size_t i = 0; i < sizeof declarations / sizeof *declarations; i++) {
        if (token_is_word(c->token, declarations[i].word)) {
            *kind = declarations[i].kind;
            return true;
        }
    }
    return false;
}

bool compile_sync_initial(compiler *c, symbol *cells) {
    int64_t least = cells->kind == SYMBOL_BARRIER;
    cells->value = least * 2;
    if (!compiler_accept(c, TOKEN_ASSIGN)) {
        return true;
    }
    const token *at = c->token;
    if (cells->kind != SYMBOL_SEMAPHORE && cells->kind != SYMBOL_BARRIER) {
        return compiler_fail(c, at - 1, "expected no initial value of %s",
                             symbol_kind_words(cells->kind));
    }
    if (!compile_constant(c, "an initial value", &cells->value)) {
        return false;
    }
    if (cells->value < least || cells->value > SYNC_INITIAL_LIMIT) {
        return compiler_fail(c, at, "expected a number from %d to %d, found %lld", (int)least,
                             SYNC_INITIAL_LIMIT, (long long)cells->value);
    }
    return true;
}

/* --- calls ----------------------------------------------------------------------------------- */

typedef struct sync_form {
    const char *word;
    enum instruction_kind kind;
    enum symbol_kind cell;
    bool gives; /* a value */
} sync_form;

static const sync_form forms[] = {
    {"sem_wait", INSTRUCTION_SEMAPHORE_WAIT, SYMBOL_SEMAPHORE, false},
    {"sem_trywait", INSTRUCTION_SEMAPHORE_TRY, SYMBOL_SEMAPHORE, true},
    {"sem_post", INSTRUCTION_POST, SYMBOL_SEMAPHORE, false},
    {"read_lock", INSTRUCTION_READ_LOCK, SYMBOL_RWLOCK, false},
    {"write_lock", INSTRUCTION_WRITE_LOCK, SYMBOL_RWLOCK, false},
    {"try_read_lock", INSTRUCTION_TRY_READ_LOCK, SYMBOL_RWLOCK, true},
    {"try_write_lock", INSTRUCTION_TRY_WRITE_LOCK, SYMBOL_RWLOCK, true},
    {"release", INSTRUCTION_RELEASE, SYMBOL_RWLOCK, false},
    {"barrier_wait", INSTRUCTION_BARRIER, SYMBOL_BARRIER, false},
};

static const sync_form *find_form(const compiler *c) {
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (compiler_at_word(c, forms[i].word)) {
            return &forms[i];
        }
    }
    return NULL;
}

bool compiler_at_sync(const compiler *c) {
    return find_form(c) != NULL;
}

static bool check_place(compiler *c, const token *word) {
    int length = (int)word->length;
    if (!c->in_thread) {
        return compiler_fail(c, word, "expected a constant, found '%.*s'", length, word->text);
    }
    if (c->atomic) {
        return compiler_fail(c, word, "expected no '%.*s' in an atomic section", length,
                             word->text);
    }
    return true;
}

static bool parse_call(compiler *c, const sync_form *form, instruction *i) {
    const token *word = c->token++;
    *i = compiler_instruction(form->kind, word);
    return check_place(c, word) && compiler_expect(c, TOKEN_LEFT_PARENTHESIS) &&
           compile_place(c, form->cell, &i->cell) && compiler_expect(c, TOKEN_RIGHT_PARENTHESIS);
}

bool compile_sync_value(compiler *c, operand *result) {
    const sync_form *form = find_form(c);
    const token *word = c->token;
    instruction i;
    if (!form->gives) {
        return compiler_fail(c, word, "expected a value, '%s' has no value", form->word);
    }
    return parse_call(c, form, &i) && operand_emit(c, word, i, result);
}

bool compile_sync_statement(compiler *c) {
    instruction i;
    if (!parse_call(c, find_form(c), &i)) {
        return false;
    }
    compiler_emit(c, i);
    return true;
}

/* once (o) { … }: the body runs in the first thread that comes. */
bool compile_once(compiler *c, bool (*parse_body)(compiler *)) {
    const token *word = c->token++;
    instruction first = compiler_instruction(INSTRUCTION_ONCE, word);
    if (!check_place(c, word) || !compiler_expect(c, TOKEN_LEFT_PARENTHESIS) ||
        !compile_place(c, SYMBOL_ONCE, &first.cell) ||
        !compiler_expect(c, TOKEN_RIGHT_PARENTHESIS)) {
        return false;
    }
    if (first.cell.count != 1) {
        return compiler_fail(c, word, "expected a constant index of a once");
    }
    instruction end = compiler_instruction(INSTRUCTION_ONCE_END, word);
    operand initialises;
    end.cell = first.cell;
    uint32_t registers = c->registers;
    loop *outside = c->loop;
    if (!operand_emit(c, word, first, &initialises)) {
        return false;
    }
    uint32_t branch =
        compiler_emit_condition(c, INSTRUCTION_BRANCH, word, operand_expression(c, &initialises));
    c->registers = registers;
    c->loop = NULL; /* nothing leaves it but its end */
    if (!parse_body(c)) {
        return false;
    }
    c->loop = outside;
    compiler_emit(c, end);
    compiler_patch(c, branch);
    return true;
}
