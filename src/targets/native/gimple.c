#define _GNU_SOURCE
#include "targets/native/gimple.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "targets/native/instructions.h"
#include "targets/native/lines.h"

size_t gimple_word_length(const char *text) {
    return instruction_name(text);
}

bool gimple_has_version(const char *text, size_t length) {
    size_t digits = 0;
    while (digits < length && isdigit((unsigned char)text[length - 1 - digits])) {
        digits++;
    }
    const char *dot = memchr(text, '.', length);
    return digits && digits < length && text[length - 1 - digits] == '_' &&
           (!dot || strspn(dot + 1, "0123456789") == (size_t)(text + length - digits - 2 - dot));
}

bool gimple_is_value(const char *text, size_t length) {
    return length < GIMPLE_NAME_SIZE && gimple_has_version(text, length);
}

static void set_place(gimple_place *place, const char *start, const char *first,
                      const char *second) {
    int length = (int)(first - start);
    snprintf(place->file, sizeof place->file, "%.*s", length < GIMPLE_FILE_SIZE ? length : 0,
             start);
    place->row = (unsigned)strtoul(first + 1, NULL, 10);
    place->column = (unsigned)strtoul(second + 1, NULL, 10);
}

/* Removes "[file:line:col] " wherever it stands; the first one is kept. In "a[i_3].b, [f.c:7:5] c"
 * what begins at the first bracket is none. */
static void strip_places(char *line, gimple_place *place) {
    char *out = line;
    for (char *in = line; *in;) {
        char *end = *in == '[' ? strchr(in, ']') : NULL;
        char *second = end && end[1] == ' ' ? memrchr(in, ':', (size_t)(end - in)) : NULL;
        char *first = second ? memrchr(in, ':', (size_t)(second - in)) : NULL;
        if (first && isdigit((unsigned char)first[1])) {
            if (!place->row) {
                set_place(place, in + 1, first, second);
            }
            in = end + 2;
        } else {
            *out++ = *in++;
        }
    }
    *out = '\0';
}

typedef struct visit {
    const gimple_visitor *visitor;
    void *context;
    enum { OUTSIDE, IN_DECLARATIONS, IN_BODY } part;
} visit;

static void visit_line(void *context, char *line) {
    visit *v = context;
    unsigned number;
    if (text_starts(line, ";; Function")) {
        v->part = IN_DECLARATIONS;
        v->visitor->function(v->context, line);
    } else if (v->part != OUTSIDE && sscanf(line, "  <bb %u>", &number) == 1) {
        v->part = IN_BODY;
        if (v->visitor->block) {
            v->visitor->block(v->context, number);
        }
    } else if (v->part == IN_BODY && *line == '}') {
        v->part = OUTSIDE;
    } else if (v->part == IN_BODY) {
        gimple_place place = {0};
        strip_places(line, &place);
        v->visitor->statement(v->context, line, &place);
    } else if (v->part == IN_DECLARATIONS && v->visitor->declaration) {
        v->visitor->declaration(v->context, line);
    }
}

void gimple_visit(const char *dump, const gimple_visitor *visitor, void *context) {
    visit v = {visitor, context, OUTSIDE};
    FILE *file = fopen(dump, "r");
    if (file) {
        lines_read(file, visit_line, &v);
        fclose(file);
    }
}

/* ---- functions as values ---- */

static void add_function(void *functions, const char *line) {
    gimple_function fresh = {0};
    sscanf(line, ";; Function %63[^ (]", fresh.name);
    vector_push((gimple_functions *)functions, fresh);
}

/* "  long unsigned int n;" */
static void add_variable(gimple_function *f, const char *line) {
    gimple_variable v = {0};
    const char *end = strchr(line, ';'), *name = end;
    while (name && name > line && name[-1] != ' ') {
        name--;
    }
    if (name && text_starts(line, "  ") && name > line + 3 &&
        (size_t)(name - line) < sizeof v.type && (size_t)(end - name) < sizeof v.name) {
        memcpy(v.type, line + 2, (size_t)(name - line - 3));
        memcpy(v.name, name, (size_t)(end - name));
        vector_push(&f->variables, v);
    }
}

const char *gimple_type(const gimple_function *f, const char *value) {
    char name[GIMPLE_NAME_SIZE];
    const char *type = NULL;
    snprintf(name, sizeof name, "%s", value);
    char *number = strrchr(name, '_');
    if (number && number != name) {
        *number = '\0';
    }
    for (uint32_t i = 0; i < f->variables.count; i++) {
        const gimple_variable *v = &vector_at(&f->variables, i);
        if (strcmp(v->name, name) == 0) {
            bool other = type && strcmp(type, v->type) != 0;
            if (other) {
                return NULL;
            }
            type = v->type;
        }
    }
    return type;
}

/* "void f (int x)" */
static void add_parameters(gimple_function *f, const char *line) {
    const char *open = strstr(line, " ("), *close = strrchr(line, ')'), *name = close;
    while (open && name && name > open && gimple_word_length(name - 1)) {
        name--;
    }
    if (*line != ' ' && open && close && close > open && name < close &&
        !memchr(open, ',', (size_t)(close - open)) && close - name < GIMPLE_NAME_SIZE) {
        snprintf(f->only, sizeof f->only, "%.*s", (int)(close - name), name);
    }
}

/* "x_1(D)" is what x was when the function began: undetermined, or an argument. */
static void take_marks(gimple_function *f, char *text) {
    for (char *mark; (mark = strstr(text, "(D)"));) {
        char *start = mark;
        while (start > text && gimple_word_length(start - 1)) {
            start--;
        }
        size_t length = (size_t)(mark - start), size = strlen(f->only);
        bool is_parameter = size && length > size + 1 && length < GIMPLE_NAME_SIZE &&
                            memcmp(start, f->only, size) == 0 && start[size] == '_' &&
                            strspn(start + size + 1, "0123456789") == length - size - 1;
        if (is_parameter) {
            snprintf(f->parameter, sizeof f->parameter, "%.*s", (int)length, start);
        }
        memmove(mark, mark + 3, strlen(mark + 3) + 1);
    }
}

static void add_declaration(void *functions, const char *line) {
    gimple_function *f = &vector_last((gimple_functions *)functions);
    add_variable(f, line);
    add_parameters(f, line);
}

static void add_block(void *functions, unsigned number) {
    gimple_function *f = &vector_last((gimple_functions *)functions);
    uint32_t at = f->statements.count;
    vector_push(&f->blocks, ((gimple_block){number, at, at}));
}

static void add_statement(void *functions, char *line, const gimple_place *place) {
    gimple_function *f = &vector_last((gimple_functions *)functions);
    gimple_statement s = {.row = place->row, .column = place->column};
    take_marks(f, line);
    char *text = line + strspn(line, " ");
    size_t length = strlen(text);
    while (length && isspace((unsigned char)text[length - 1])) {
        length--;
    }
    if (length && !isspace((unsigned char)*text)) {
        s.text = strndup(text, length);
        vector_push(&f->statements, s);
        vector_last(&f->blocks).end = f->statements.count;
    }
}

void gimple_read(const char *dump, gimple_functions *functions) {
    static const gimple_visitor visitor = {add_function, add_declaration, add_block, add_statement};
    gimple_visit(dump, &visitor, functions);
}

void gimple_free(gimple_functions *functions) {
    for (uint32_t i = 0; i < functions->count; i++) {
        gimple_function *f = &vector_at(functions, i);
        for (uint32_t j = 0; j < f->statements.count; j++) {
            free(vector_at(&f->statements, j).text);
        }
        vector_free(&f->statements);
        vector_free(&f->blocks);
        vector_free(&f->variables);
    }
    vector_free(functions);
}

const gimple_function *gimple_find(const gimple_functions *functions, const char *name,
                                   size_t length) {
    const gimple_function *found = NULL;
    for (uint32_t i = 0; i < functions->count; i++) {
        const gimple_function *f = &vector_at(functions, i);
        if (text_is(name, length, f->name)) {
            found = f;
        }
    }
    return found;
}

uint32_t gimple_block_at(const gimple_function *f, unsigned number) {
    uint32_t at = 0;
    while (at < f->blocks.count && vector_at(&f->blocks, at).number != number) {
        at++;
    }
    return at;
}
