#define _GNU_SOURCE
#include "targets/native/undetermined.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "targets/native/lines.h"

enum { NAME_SIZE = 64 };

static const char prefix[] = "__VERIFIER_nondet_";

typedef struct value {
    char name[NAME_SIZE];
    enum undetermined_use use;
} value;

/* `from` goes into `to`, as it is or in a computation. */
typedef struct flow {
    uint32_t from, to;
    bool copied;
} flow;

typedef struct reader {
    undetermined_list *calls;
    bool in_body;
    VECTOR(value) values;
    VECTOR(flow) flows;
    VECTOR(uint32_t) results; /* of the calls of this function: value + 1, or 0 if dropped */
    uint32_t first_call;
} reader;

static size_t word_length(const char *text) {
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || (text[length] && strchr("_.$", text[length]))) {
        length++;
    }
    return length;
}

/* "x_7", "_7" or "x.0_7", but not the member "x.y_7". */
static bool is_value(const char *text, size_t length) {
    size_t digits = 0;
    while (digits < length && isdigit((unsigned char)text[length - 1 - digits])) {
        digits++;
    }
    const char *dot = memchr(text, '.', length);
    return digits && digits < length && text[length - 1 - digits] == '_' && length < NAME_SIZE &&
           (!dot || strspn(dot + 1, "0123456789") == (size_t)(text + length - digits - 2 - dot));
}

static uint32_t value_of(reader *r, const char *text, size_t length) {
    for (uint32_t i = 0; i < r->values.count; i++) {
        if (strlen(vector_at(&r->values, i).name) == length &&
            memcmp(vector_at(&r->values, i).name, text, length) == 0) {
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
        size_t length = word_length(at);
        if (length && is_value(at, length)) {
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
    size_t length = word_length(text);
    const char *rest = text + length;
    return is_value(text, length) &&
           (strncmp(rest, " != 0", 5) == 0 || strncmp(rest, " == 0", 5) == 0) &&
           strncmp(rest + 5, end, strlen(end)) == 0;
}

/* Copies, casts, and arithmetic that cannot fail. */
static bool is_computation(const char *text) {
    if (*text == '(') { /* a cast */
        text += strcspn(text, ")");
        text += strspn(text, ") ");
    }
    for (; *text && *text != ';';) {
        size_t length = word_length(text);
        bool number = length && isdigit((unsigned char)*text);
        if (length && !number && !is_value(text, length)) {
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
        if (*text && !strchr("; ", *text) && !word_length(text)) {
            return false;
        }
    }
    return true;
}

/* "[file:line:col] " wherever it stands is removed; the first one is kept. */
static void strip_places(char *line, unsigned *row, unsigned *column) {
    char *out = line;
    *row = *column = 0;
    for (char *in = line; *in;) {
        char *end = *in == '[' ? strstr(in, "] ") : NULL;
        char *second = end ? memrchr(in, ':', (size_t)(end - in)) : NULL;
        char *first = second ? memrchr(in, ':', (size_t)(second - in)) : NULL;
        if (first && isdigit((unsigned char)first[1])) {
            if (!*row) {
                *row = (unsigned)strtoul(first + 1, NULL, 10);
                *column = (unsigned)strtoul(second + 1, NULL, 10);
            }
            in = end + 2;
        } else {
            *out++ = *in++;
        }
    }
    *out = '\0';
}

static bool call(reader *r, const char *text, unsigned row, unsigned column) {
    size_t length = word_length(text);
    bool assigned = is_value(text, length) && strncmp(text + length, " = ", 3) == 0;
    const char *callee = assigned ? text + length + 3 : text;
    size_t size = word_length(callee);
    if (strncmp(callee, prefix, strlen(prefix)) != 0 || strcmp(callee + size, " ();\n") != 0 ||
        size >= NAME_SIZE) {
        return false;
    }
    undetermined_call made = {.line = row, .column = column};
    memcpy(made.callee, callee, size);
    vector_push(r->calls, made);
    vector_push(&r->results, assigned ? value_of(r, text, length) + 1 : 0);
    return true;
}

static void statement(reader *r, char *line) {
    unsigned row, column;
    strip_places(line, &row, &column);
    char *text = line + strspn(line, " ");
    bool joins = strncmp(text, "# ", 2) == 0 && strstr(text, " = PHI <");
    if (strncmp(text, "# DEBUG", 7) == 0) {
        return;
    }
    text += joins ? 2 : 0;
    size_t length = word_length(text);
    bool assigns = is_value(text, length) && strncmp(text + length, " = ", 3) == 0;
    if (call(r, text, row, column)) {
        return;
    }
    const char *right = assigns ? text + length + 3 : text;
    bool condition = strncmp(text, "if (", 4) == 0 && tests_truth(text + 4, ")\n");
    if (condition || (assigns && tests_truth(right, ";\n"))) {
        each_value(r, condition ? text + 4 : right, raise_use, USE_TRUTH);
    } else if (assigns && (joins || strcmp(right + word_length(right), ";\n") == 0)) {
        each_value(r, right, copied_into, value_of(r, text, length));
    } else if (assigns && is_computation(right)) {
        each_value(r, right, computed_into, value_of(r, text, length));
    } else {
        each_value(r, right, raise_use, USE_VALUE);
    }
}

/* A name after "&" is a variable in memory, though it may look like a value. */
static void note_pointed(reader *r, const char *line) {
    for (const char *at = line; (at = strchr(at, '&'));) {
        size_t length = word_length(++at);
        if (is_value(at, length)) {
            raise_use(r, value_of(r, at, length), USE_VALUE);
        }
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
    r->in_body = false;
}

static void read_line(void *context, char *line) {
    reader *r = context;
    if (strncmp(line, ";; Function", 11) == 0) {
        end_function(r);
    } else if (strncmp(line, "  <bb ", 6) == 0) {
        r->in_body = true;
    } else if (r->in_body) {
        note_pointed(r, line);
        statement(r, line);
    }
}

void undetermined_in_dump(const char *dump, undetermined_list *calls) {
    FILE *file = fopen(dump, "r");
    if (!file) {
        return;
    }
    reader r = {.calls = calls, .first_call = calls->count};
    lines_read(file, read_line, &r);
    end_function(&r);
    fclose(file);
    vector_free(&r.values);
    vector_free(&r.flows);
    vector_free(&r.results);
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
