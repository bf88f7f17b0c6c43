#include "targets/abstract/language.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "targets/abstract/language_compiler.h"

/* --- definitions ----------------------------------------------------------------------------- */

static bool is_name(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (!text_is_name_part(text[i]) || (i == 0 && text_is_digit(text[i]))) {
            return false;
        }
    }
    return length > 0;
}

bool definition_parse(definition *result, const char *text) {
    size_t length = strcspn(text, "=");
    *result = (definition){.name = text, .name_length = length, .value = 1};
    if (!is_name(text, length)) {
        return false;
    }
    if (text[length] == 0) {
        return true;
    }
    const char *number = text + length + 1;
    if (*number != '-' && (*number < '0' || *number > '9')) {
        return false;
    }
    char *end;
    errno = 0;
    result->value = strtoll(number, &end, 10);
    return errno == 0 && *end == 0 && end[-1] != '-';
}

static bool defines(const definition *d, const token *name) {
    return d->name_length == name->length && memcmp(d->name, name->text, name->length) == 0;
}

static void list_parameters(const compiler *c, char *list, size_t size) {
    size_t used = 0;
    for (uint32_t i = 0; i < c->symbols.count; i++) {
        const symbol *at = &vector_at(&c->symbols, i);
        if (at->kind == SYMBOL_PARAMETER && used < size) {
            used += (size_t)snprintf(list + used, size - used, "%s%.*s", used ? ", " : "",
                                     (int)at->name->length, at->name->text);
        }
    }
}

/* Every definition must name a parameter: a misspelt one would silently change nothing. */
static bool check_definitions(compiler *c) {
    for (uint32_t i = 0; i < c->definition_count; i++) {
        const definition *d = &c->definitions[i];
        token name = {.text = d->name, .length = (uint32_t)d->name_length};
        const symbol *found = symbol_find(&c->symbols, &name);
        if (found && found->kind == SYMBOL_PARAMETER) {
            continue;
        }
        char list[160] = "";
        list_parameters(c, list, sizeof list);
        return compiler_fail(c, &name, "expected the name of a parameter (%s), found '%.*s'",
                             *list ? list : "there are none",
                             d->name_length < 40 ? (int)d->name_length : 40, d->name);
    }
    return true;
}

/* --- declarations of constants and cells ----------------------------------------------------- */

static bool parse_parameter(compiler *c, enum symbol_kind kind) {
    symbol parameter = {.kind = kind};
    if (!compiler_expect_name(c, &parameter.name) || !compiler_expect(c, TOKEN_ASSIGN) ||
        !compile_constant(c, "a parameter", &parameter.value)) {
        return false;
    }
    for (uint32_t i = 0; i < c->definition_count; i++) {
        if (defines(&c->definitions[i], parameter.name)) {
            parameter.value = c->definitions[i].value;
        }
    }
    return compiler_declare(c, parameter);
}

/* name or name[size] */
static bool parse_cells(compiler *c, symbol *cells) {
    if (!compiler_expect_name(c, &cells->name)) {
        return false;
    }
    const token *at = c->token;
    int64_t count = 1;
    cells->array = compiler_accept(c, TOKEN_LEFT_BRACKET);
    if (cells->array && (!compile_constant(c, "the size of an array", &count) ||
                         !compiler_expect(c, TOKEN_RIGHT_BRACKET))) {
        return false;
    }
    if (count < 1 || count > CELL_LIMIT || c->cell_count + count > CELL_LIMIT) {
        return compiler_fail(c, at,
                             "expected at least 1 element and at most %d cells in all, "
                             "found %lld elements",
                             CELL_LIMIT, (long long)count);
    }
    cells->count = (uint32_t)count;
    c->cell_count += cells->count;
    return true;
}

/* {1, 2, 3}: the rest is 0. */
static bool parse_initial_list(compiler *c, int64_t *values, uint32_t count) {
    uint32_t given = 0;
    do {
        if (given == count) {
            return compiler_fail(c, c->token, "expected at most %u initial values", count);
        }
        if (!compile_constant(c, "an initial value", &values[given++])) {
            return false;
        }
    } while (compiler_accept(c, TOKEN_COMMA));
    return compiler_expect(c, TOKEN_RIGHT_BRACE);
}

static bool parse_initial(compiler *c, const symbol *variable, int64_t *values) {
    if (variable->array && compiler_accept(c, TOKEN_LEFT_BRACE)) {
        return parse_initial_list(c, values, variable->count);
    }
    int64_t value;
    if (!compile_constant(c, "an initial value", &value)) {
        return false;
    }
    for (uint32_t i = 0; i < variable->count; i++) {
        values[i] = value;
    }
    return true;
}

/* `first` counts the cells of one kind here; number_cells makes it the number of the cell. */
static bool parse_variable(compiler *c, enum symbol_kind kind) {
    symbol variable = {.kind = kind, .first = c->initials.count, .plain = c->plain};
    if (!parse_cells(c, &variable)) {
        return false;
    }
    vector_resize(&c->initials, variable.first + variable.count);
    int64_t *values = &vector_at(&c->initials, variable.first);
    memset(values, 0, variable.count * sizeof *values);
    if (compiler_accept(c, TOKEN_ASSIGN) && !parse_initial(c, &variable, values)) {
        return false;
    }
    return compiler_declare(c, variable);
}

static bool parse_synchronisation(compiler *c, enum symbol_kind kind) {
    symbol cells = {.kind = kind};
    return parse_cells(c, &cells) && compile_sync_initial(c, &cells) && compiler_declare(c, cells);
}

/* --- declarations of threads ----------------------------------------------------------------- */

/* (index in low..high) */
static bool parse_range(compiler *c, symbol *thread) {
    int64_t high;
    c->token++;
    thread->array = true;
    const token *at = c->token;
    if (!compiler_expect_name(c, &thread->index) || !compiler_expect(c, TOKEN_IN) ||
        !compile_constant(c, "the first index", &thread->value) ||
        !compiler_expect(c, TOKEN_RANGE) || !compile_constant(c, "the last index", &high) ||
        !compiler_expect(c, TOKEN_RIGHT_PARENTHESIS)) {
        return false;
    }
    if (high < thread->value) {
        thread->count = 0;
        return true;
    }
    uint64_t more = (uint64_t)high - (uint64_t)thread->value;
    if (more >= THREAD_LIMIT) {
        return compiler_fail(c, at, "expected at most %d threads", THREAD_LIMIT);
    }
    thread->count = (uint32_t)more + 1;
    return true;
}

static bool skip_body(compiler *c) {
    if (!compiler_expect(c, TOKEN_LEFT_BRACE)) {
        return false;
    }
    for (uint32_t depth = 1; depth > 0; c->token++) {
        if (compiler_at(c, TOKEN_END)) {
            return compiler_fail_expected(c, "'}'");
        }
        depth += compiler_at(c, TOKEN_LEFT_BRACE);
        depth -= compiler_at(c, TOKEN_RIGHT_BRACE);
    }
    return true;
}

static void add_thread_copies(compiler *c, const symbol *thread) {
    char name[128];
    for (uint32_t i = 0; i < thread->count; i++) {
        int length =
            snprintf(name, sizeof name, "%.*s", (int)thread->name->length, thread->name->text);
        if (thread->array) {
            snprintf(name + length, sizeof name - (size_t)length, "(%lld)",
                     (long long)(thread->value + i));
        }
        program_add_thread(c->program, name, thread->starts);
    }
}

static bool parse_thread(compiler *c) {
    symbol thread = {.kind = SYMBOL_THREAD,
                     .count = 1,
                     .first = c->program->threads.count,
                     .starts = !compiler_accept(c, TOKEN_SPAWNED)};
    if (!compiler_expect(c, TOKEN_THREAD) || !compiler_expect_name(c, &thread.name) ||
        (compiler_at(c, TOKEN_LEFT_PARENTHESIS) && !parse_range(c, &thread))) {
        return false;
    }
    if (thread.first + thread.count > THREAD_LIMIT) {
        return compiler_fail(c, thread.name, "expected at most %d threads", THREAD_LIMIT);
    }
    thread.body = c->token;
    if (!skip_body(c) || !compiler_declare(c, thread)) {
        return false;
    }
    add_thread_copies(c, &thread);
    return true;
}

/* --- the two passes -------------------------------------------------------------------------- */

/* One keyword, then declarators separated by commas. */
static bool parse_declarators(compiler *c, enum symbol_kind kind,
                              bool (*parse)(compiler *, enum symbol_kind)) {
    c->token++;
    do {
        if (!parse(c, kind)) {
            return false;
        }
    } while (compiler_accept(c, TOKEN_COMMA));
    return compiler_expect(c, TOKEN_SEMICOLON);
}

static bool parse_declaration(compiler *c) {
    c->plain = token_is_word(c->token, "plain"); /* which is not reserved */
    if (c->plain) {
        return parse_declarators(c, SYMBOL_VARIABLE, parse_variable);
    }
    enum symbol_kind kind;
    if (compiler_at_sync_declaration(c, &kind)) {
        return parse_declarators(c, kind, parse_synchronisation);
    }
    switch (c->token->kind) {
        case TOKEN_PARAM: return parse_declarators(c, SYMBOL_PARAMETER, parse_parameter);
        case TOKEN_SHARED: return parse_declarators(c, SYMBOL_VARIABLE, parse_variable);
        case TOKEN_MUTEX: return parse_declarators(c, SYMBOL_MUTEX, parse_synchronisation);
        case TOKEN_CONDITION: return parse_declarators(c, SYMBOL_CONDITION, parse_synchronisation);
        case TOKEN_SPAWNED:
        case TOKEN_THREAD: return parse_thread(c);
        default:
            return compiler_fail_expected(c,
                                          "a declaration (param, shared, plain, mutex, condition, "
                                          "semaphore, rwlock, barrier, "
                                          "once, thread or spawned thread)");
    }
}

static bool parse_declarations(compiler *c) {
    bool threads = false;
    while (!compiler_at(c, TOKEN_END)) {
        if (!parse_declaration(c)) {
            return false;
        }
        threads = threads || vector_last(&c->symbols).kind == SYMBOL_THREAD;
    }
    return threads || compiler_fail_expected(c, "a thread");
}

static void add_cells(compiler *c, symbol *cells, enum cell_kind kind) {
    char name[128];
    uint32_t initial = cells->first;
    cells->first = c->program->cells.count;
    for (uint32_t i = 0; i < cells->count; i++) {
        int length =
            snprintf(name, sizeof name, "%.*s", (int)cells->name->length, cells->name->text);
        if (cells->array) {
            snprintf(name + length, sizeof name - (size_t)length, "[%u]", i);
        }
        int64_t value = kind == CELL_VARIABLE ? vector_at(&c->initials, initial + i) : cells->value;
        uint32_t number = program_add_cell(c->program, kind, name, value);
        vector_at(&c->program->cells, number).plain = cells->plain;
    }
}

/* All variables, then all mutexes, then all conditions, and so on. */
static void number_cells(compiler *c) {
    static const struct {
        enum symbol_kind symbol;
        enum cell_kind cell;
    } kinds[] = {{SYMBOL_VARIABLE, CELL_VARIABLE},
                 {SYMBOL_MUTEX, CELL_MUTEX},
                 {SYMBOL_CONDITION, CELL_CONDITION},
                 {SYMBOL_SEMAPHORE, CELL_SEMAPHORE},
                 {SYMBOL_RWLOCK, CELL_RWLOCK},
                 {SYMBOL_BARRIER, CELL_BARRIER},
                 {SYMBOL_ONCE, CELL_ONCE}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        for (uint32_t i = 0; i < c->symbols.count; i++) {
            if (vector_at(&c->symbols, i).kind == kinds[k].symbol) {
                add_cells(c, &vector_at(&c->symbols, i), kinds[k].cell);
            }
        }
    }
}

/* Compiles the body of a thread for one value of its index into c->thread. */
static bool compile_copy(compiler *c, const symbol *thread, int64_t index) {
    uint32_t symbols = c->symbols.count;
    c->token = thread->body;
    c->thread.code.count = 0;
    c->thread.register_count = 1;
    c->registers = 0;
    compile_message_registers(c, thread->body);
    c->locals = c->registers;
    if (thread->array &&
        !compiler_declare(c,
                          (symbol){.kind = SYMBOL_INDEX, .name = thread->index, .value = index})) {
        return false;
    }
    if (!compile_body(c)) {
        return false;
    }
    c->symbols.count = symbols;
    return true;
}

/* Moves the compiled code to its thread, in a block of its own size. */
static void keep_code(compiler *c, model_thread *thread) {
    vector_resize(&thread->code, c->thread.code.count);
    memcpy(thread->code.items, c->thread.code.items,
           c->thread.code.count * sizeof *thread->code.items);
    thread->register_count = c->thread.register_count;
    c->emitted += c->thread.code.count;
}

static bool compile_thread(compiler *c, symbol thread) {
    if (thread.count == 0) { /* no copy: its code is checked nevertheless */
        c->unreachable++;
        bool good = compile_copy(c, &thread, thread.value);
        c->unreachable--;
        return good;
    }
    for (uint32_t i = 0; i < thread.count; i++) {
        if (!compile_copy(c, &thread, thread.value + i)) {
            return false;
        }
        keep_code(c, &vector_at(&c->program->threads, thread.first + i));
    }
    return true;
}

static bool compile_threads(compiler *c) {
    uint32_t count = c->symbols.count;
    c->in_thread = true;
    for (uint32_t i = 0; i < count; i++) {
        if (vector_at(&c->symbols, i).kind == SYMBOL_THREAD &&
            !compile_thread(c, vector_at(&c->symbols, i))) {
            return false;
        }
    }
    return true;
}

static bool check_plain(compiler *c) {
    const instruction *where;
    const char *message = program_plain_error(c->program, &where);
    return !message ||
           compiler_fail(c, &(token){.line = where->line, .column = where->column}, "%s", message);
}

static bool compile(compiler *c) {
    if (!parse_declarations(c) || !check_definitions(c)) {
        return false;
    }
    number_cells(c);
    return compile_threads(c) && check_plain(c);
}

bool language_parse(program *result, const char *file, const char *text,
                    const definition *definitions, uint32_t definition_count, parse_error *error) {
    compiler c = {.program = result,
                  .error = error,
                  .definitions = definitions,
                  .definition_count = definition_count};
    token_list tokens = {0};
    *error = (parse_error){0};
    program_init(result, file);
    bool good = lexer_run(&tokens, text, error);
    if (good) {
        c.token = tokens.items;
        good = compile(&c);
    }
    vector_free(&tokens);
    vector_free(&c.symbols);
    vector_free(&c.initials);
    vector_free(&c.thread.code);
    if (!good) {
        program_free(result);
    }
    return good;
}
