#define _GNU_SOURCE
#include "targets/native/undetermined.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "targets/native/gimple.h"

static const char prefix[] = "__VERIFIER_nondet_";

typedef struct value {
    char name[GIMPLE_NAME_SIZE];
    enum undetermined_use use;
} value;

/* `from` goes into `to`, as it is or in a computation. */
typedef struct flow {
    uint32_t from, to;
    bool copied;
} flow;

typedef struct reader {
    undetermined_list *calls;
    VECTOR(value) values;
    VECTOR(flow) flows;
    VECTOR(uint32_t) results; /* of the calls of this function: value + 1, or 0 if dropped */
    uint32_t first_call;
} reader;

static uint32_t value_of(reader *r, const char *text, size_t length) {
    for (uint32_t i = 0; i < r->values.count; i++) {
        if (text_is(text, length, vector_at(&r->values, i).name)) {
            return i;
        }
    }
    value fresh = {0};
    memcpy(fresh.name, text, length);
    vector_push(&r->values, fresh);
    return r->values.count - 1;
}

/* Calls with every value in the text. */
static void each_value(reader *r, const char *text, void (*visit)(reader *, uint32_t, uint32_t),
                       uint32_t context) {
    for (const char *at = text; *at;) {
        size_t length = gimple_word_length(at);
        if (length && gimple_is_value(at, length)) {
            visit(r, value_of(r, at, length), context);
        }
        at += length ? length : 1;
    }
}

static void raise_use(reader *r, uint32_t value, uint32_t use) {
    if (vector_at(&r->values, value).use < use) {
        vector_at(&r->values, value).use = use;
    }
}

static void computed_into(reader *r, uint32_t from, uint32_t to) {
    vector_push(&r->flows, ((flow){from, to, false}));
}

static void copied_into(reader *r, uint32_t from, uint32_t to) {
    vector_push(&r->flows, ((flow){from, to, true}));
}

/* "x_3 != 0" and no more. */
static bool tests_truth(const char *text, const char *end) {
    size_t length = gimple_word_length(text);
    const char *rest = text + length;
    return gimple_is_value(text, length) &&
           (text_starts(rest, " != 0") || text_starts(rest, " == 0")) && text_starts(rest + 5, end);
}

/* Copies, casts, and arithmetic that cannot fail. */
static bool is_computation(const char *text) {
    if (*text == '(') { /* a cast */
        text += strcspn(text, ")");
        text += strspn(text, ") ");
    }
    for (; *text && *text != ';';) {
        size_t length = gimple_word_length(text);
        bool number = length && isdigit((unsigned char)*text);
        if (length && !number && !gimple_is_value(text, length)) {
            return false;
        }
        text += length;
        size_t blanks = strspn(text, " ");
        if (!length && !blanks) {
            return false;
        }
        text += blanks;
        size_t operators = strspn(text, "+-&|^<>=!*");
        if (operators && text[operators] != ' ') {
            return false; /* "*p", "-x", "&x" */
        }
        text += operators;
        if (*text && !strchr("; ", *text) && !gimple_word_length(text)) {
            return false;
        }
    }
    return true;
}

static bool call(reader *r, const char *text, const gimple_place *place) {
    size_t length = gimple_word_length(text);
    bool assigned = gimple_is_value(text, length) && text_starts(text + length, " = ");
    const char *callee = assigned ? text + length + 3 : text;
    size_t size = gimple_word_length(callee);
    if (!text_starts(callee, prefix) || strcmp(callee + size, " ();\n") != 0 ||
        size >= GIMPLE_NAME_SIZE) {
        return false;
    }
    undetermined_call made = {.line = place->row, .column = place->column};
    memcpy(made.callee, callee, size);
    vector_push(r->calls, made);
    vector_push(&r->results, assigned ? value_of(r, text, length) + 1 : 0);
    return true;
}

/* A name after "&" is a variable in memory, though it may look like a value. */
static void note_pointed(reader *r, const char *line) {
    for (const char *at = line; (at = strchr(at, '&'));) {
        size_t length = gimple_word_length(++at);
        if (gimple_is_value(at, length)) {
            raise_use(r, value_of(r, at, length), USE_VALUE);
        }
    }
}

static void statement(void *context, char *line, const gimple_place *place) {
    reader *r = context;
    const char *text = line + strspn(line, " ");
    note_pointed(r, line);
    bool joins = text_starts(text, "# ") && strstr(text, " = PHI <");
    if (text_starts(text, "# DEBUG")) {
        return;
    }
    text += joins ? 2 : 0;
    size_t length = gimple_word_length(text);
    bool assigns = gimple_is_value(text, length) && text_starts(text + length, " = ");
    if (call(r, text, place)) {
        return;
    }
    const char *right = assigns ? text + length + 3 : text;
    bool condition = text_starts(text, "if (") && tests_truth(text + 4, ")\n");
    if (condition || (assigns && tests_truth(right, ";\n"))) {
        each_value(r, condition ? text + 4 : right, raise_use, USE_TRUTH);
    } else if (assigns && (joins || strcmp(right + gimple_word_length(right), ";\n") == 0)) {
        each_value(r, right, copied_into, value_of(r, text, length));
    } else if (assigns && is_computation(right)) {
        each_value(r, right, computed_into, value_of(r, text, length));
    } else {
        each_value(r, right, raise_use, USE_VALUE);
    }
}

static void end_function(reader *r) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < r->flows.count; i++) {
            flow f = vector_at(&r->flows, i);
            enum undetermined_use use = vector_at(&r->values, f.to).use;
            use = use && !f.copied ? USE_VALUE : use;
            if (vector_at(&r->values, f.from).use < use) {
                vector_at(&r->values, f.from).use = use;
                changed = true;
            }
        }
    }
    for (uint32_t i = 0; i < r->results.count; i++) {
        uint32_t result = vector_at(&r->results, i);
        vector_at(r->calls, r->first_call + i).use =
            result ? vector_at(&r->values, result - 1).use : USE_NONE;
    }
    vector_clear(&r->values);
    vector_clear(&r->flows);
    vector_clear(&r->results);
    r->first_call = r->calls->count;
}

static void begin_function(void *context, const char *line) {
    (void)line;
    end_function(context);
}

void undetermined_in_dump(const char *dump, undetermined_list *calls) {
    static const gimple_visitor visitor = {.function = begin_function, .statement = statement};
    reader r = {.calls = calls, .first_call = calls->count};
    gimple_visit(dump, &visitor, &r);
    end_function(&r);
    vector_free(&r.values);
    vector_free(&r.flows);
    vector_free(&r.results);
}

/* ---- the values to be tried ---- */

typedef struct integer_type {
    const char *names; /* after the prefix */
    unsigned bits;
    bool is_signed;
} integer_type;

static const integer_type *type_of(const char *callee) {
    static const integer_type types[] = {
        {" short ", 16, true},
        {" ushort u16 ", 16, false},
        {" int ", 32, true},
        {" uint unsigned unsigned_int u32 ", 32, false},
        {" long longlong loff_t ", 64, true},
        {" ulong unsigned_long ulonglong size_t sector_t ", 64, false}};
    char word[GIMPLE_NAME_SIZE + 2];
    snprintf(word, sizeof word, " %s ", callee + strlen(prefix));
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strstr(types[i].names, word)) {
            return &types[i];
        }
    }
    return NULL;
}

static void list_values(const gimple_functions *functions, const gimple_function *f,
                        uint32_t statement, undetermined_call *c) {
    const integer_type *type = type_of(c->callee);
    const char *text = vector_at(&f->statements, statement).text;
    size_t length = gimple_word_length(text);
    if (c->listed || !type || !text_starts(text + length, " = ") ||
        !undetermined_follow(functions, f, statement, type->bits, type->is_signed, &c->values)) {
        c->listed = false;
        c->bits = 1; /* tried: of two at one place nothing is known */
        return;
    }
    c->listed = c->bits == 0;
    c->bits = type->bits;
    c->is_signed = type->is_signed;
}

static void find_values(const gimple_functions *functions, const gimple_function *f,
                        undetermined_list *calls) {
    for (uint32_t i = 0; i < f->statements.count; i++) {
        const gimple_statement *s = &vector_at(&f->statements, i);
        for (uint32_t j = 0; strstr(s->text, prefix) && j < calls->count; j++) {
            undetermined_call *c = &vector_at(calls, j);
            const char *found = strstr(s->text, c->callee);
            if (c->line == s->row && c->column == s->column && c->use == USE_VALUE && found &&
                strcmp(found + strlen(c->callee), " ();") == 0) {
                list_values(functions, f, i, c);
            }
        }
    }
}

void undetermined_list_values(const char *dump, undetermined_list *calls) {
    gimple_functions functions = {0};
    if (calls->count) {
        gimple_read(dump, &functions);
    }
    for (uint32_t i = 0; i < functions.count; i++) {
        find_values(&functions, &vector_at(&functions, i), calls);
    }
    gimple_free(&functions);
}

const undetermined_call *undetermined_listed(const undetermined_list *calls, const char *callee,
                                             unsigned line, unsigned column) {
    const undetermined_call *found = NULL;
    for (uint32_t i = 0; i < calls->count; i++) {
        const undetermined_call *c = &vector_at(calls, i);
        if (c->line == line && c->column == column && strcmp(c->callee, callee) == 0) {
            if (found || !c->listed) {
                return NULL;
            }
            found = c;
        }
    }
    return found;
}

enum undetermined_use undetermined_use_of(const undetermined_list *calls, const char *callee,
                                          unsigned line, unsigned column) {
    enum undetermined_use most = USE_NONE;
    bool found = false;
    for (uint32_t i = 0; i < calls->count; i++) {
        const undetermined_call *c = &vector_at(calls, i);
        if (c->line == line && c->column == column && strcmp(c->callee, callee) == 0) {
            most = c->use > most ? c->use : most;
            found = true;
        }
    }
    return found ? most : USE_VALUE;
}
