#define _GNU_SOURCE
#include "native/unseen.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACE_SIZE = 256 };

typedef struct reader {
    const object_symbols *data;
    void (*found)(void *, const char *);
    void *context;
    bool in_body;
    VECTOR(char) locals; /* names, each between spaces */
} reader;

/* "[file:line:col] " wherever it stands; the first one is kept as "file:line". */
static void strip_places(char *line, char *place) {
    place[0] = '\0';
    char *out = line;
    for (char *in = line; *in;) {
        char *end = *in == '[' ? strchr(in, ']') : NULL;
        char *colon = end ? memchr(in, ':', (size_t)(end - in)) : NULL;
        if (colon && end[1] == ' ' && isdigit((unsigned char)colon[1])) {
            char *second = memchr(colon + 1, ':', (size_t)(end - colon - 1));
            if (!place[0] && second && second - in < PLACE_SIZE) {
                snprintf(place, PLACE_SIZE, "%.*s", (int)(second - in - 1), in + 1);
            }
            in = end + 2;
        } else {
            *out++ = *in++;
        }
    }
    *out = '\0';
}

static size_t name_length(const char *text) {
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || strchr("_.$", text[length])) {
        if (!text[length]) {
            break;
        }
        length++;
    }
    return length;
}

static void add_local(reader *r, const char *name, size_t length) {
    vector_push(&r->locals, ' ');
    for (size_t i = 0; i < length; i++) {
        vector_push(&r->locals, name[i]);
    }
    vector_push(&r->locals, ' ');
}

static bool is_local(const reader *r, const char *name, size_t length) {
    for (uint32_t i = 0; i + length + 1 < r->locals.count; i++) {
        const char *at = &r->locals.items[i];
        if (at[0] == ' ' && memcmp(at + 1, name, length) == 0 && at[length + 1] == ' ') {
            return true;
        }
    }
    return false;
}

static bool is_data(const reader *r, const char *name, size_t length) {
    for (uint32_t i = 0; i < r->data->items.count; i++) {
        const char *symbol = r->data->items.items[i].name;
        if (strncmp(symbol, name, length) == 0 &&
            (symbol[length] == '\0' || symbol[length] == '.')) {
            return true;
        }
    }
    return false;
}

/* A name with a version, "p_7" or "a_2(D)": a value in a register. */
static bool is_value(const char *text, size_t length) {
    if (length > 3 && strncmp(text + length - 3, "(D)", 3) == 0) {
        length -= 3;
    }
    size_t digits = 0;
    while (digits < length && isdigit((unsigned char)text[length - 1 - digits])) {
        digits++;
    }
    return digits > 0 && digits < length && text[length - 1 - digits] == '_' &&
           name_length(text) >= length;
}

/* An operand of a call that lies in memory which others may know. */
static bool is_shared(const reader *r, const char *text, size_t length) {
    while (length && *text == ' ') {
        text++;
        length--;
    }
    if (!length || is_value(text, length) || strchr("0123456789-\"&'{(", *text)) {
        return false;
    }
    if (*text == '*' || strncmp(text, "MEM", 3) == 0 || memmem(text, length, "->", 2)) {
        return true;
    }
    size_t name = name_length(text);
    if (name > length) {
        name = length;
    }
    if (is_local(r, text, name)) {
        return false;
    }
    const char *dot = memchr(text, '.', name);
    size_t base = dot ? (size_t)(dot - text) : name;
    return base && !is_local(r, text, base) && is_data(r, text, base);
}

static bool any_argument_shared(const reader *r, const char *list) {
    int depth = 0;
    bool quoted = false;
    const char *start = list;
    for (const char *at = list; *at; at++) {
        quoted = *at == '"' && (at == list || at[-1] != '\\') ? !quoted : quoted;
        depth += quoted ? 0 : *at == '(' || *at == '[' ? 1 : *at == ')' || *at == ']' ? -1 : 0;
        if (!quoted && (depth < 0 || (*at == ',' && depth == 0))) {
            if (is_shared(r, start, (size_t)(at - start))) {
                return true;
            }
            start = at + 1;
        }
        if (depth < 0) {
            return false;
        }
    }
    return false;
}

/* "x = f (a, b);" or "f (a, b);" */
static void statement(reader *r, char *line, const char *place) {
    char *text = line + strspn(line, " ");
    char *open = strstr(text, " (");
    if (!open || strncmp(text, "__builtin___tsan", 16) == 0 || strncmp(text, "if ", 3) == 0 ||
        strncmp(text, "switch ", 7) == 0 || strncmp(text, "return", 6) == 0) {
        return;
    }
    char *equals = strstr(text, " = ");
    if (equals && equals < open && equals + 2 == open) {
        return; /* a cast */
    }
    bool assigns = equals && equals < open;
    const char *callee = assigns ? equals + 3 : text;
    if (callee + name_length(callee) != open) {
        return; /* an expression */
    }
    if ((assigns && is_shared(r, text, (size_t)(equals - text))) ||
        any_argument_shared(r, open + 2)) {
        r->found(r->context, place);
    }
}

/* "  struct big loc;", or the parameters in "f (struct big x, int y)" */
static void declaration(reader *r, const char *line) {
    for (const char *end = line + strcspn(line, ",);["); *end;
         end += 1 + strcspn(end + 1, ",);[")) {
        const char *start = end;
        while (start > line && (isalnum((unsigned char)start[-1]) || strchr("_.$", start[-1]))) {
            start--;
        }
        add_local(r, start, (size_t)(end - start));
    }
}

static void read_line(reader *r, char *line) {
    char place[PLACE_SIZE];
    if (strncmp(line, ";; Function", 11) == 0) {
        r->in_body = false;
        vector_clear(&r->locals);
    } else if (strncmp(line, "  <bb ", 6) == 0) {
        r->in_body = true;
    } else if (!r->in_body) {
        declaration(r, line);
    } else {
        strip_places(line, place);
        statement(r, line, place);
    }
}

void unseen_find(const char *dump, const object_symbols *data,
                 void (*found)(void *context, const char *place), void *context) {
    FILE *file = fopen(dump, "r");
    if (!file) {
        return;
    }
    reader r = {.data = data, .found = found, .context = context};
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, file) > 0) {
        read_line(&r, line);
    }
    free(line);
    fclose(file);
    vector_free(&r.locals);
}
