#define _GNU_SOURCE
#include "targets/native/unseen.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/vector.h"
#include "targets/native/instructions.h"
#include "targets/native/lines.h"

/* A local that is passed or returned by value: others may know it if its address is taken. */
typedef struct passed_local {
    char name[UNSEEN_NAME_SIZE];
    unseen found;
} passed_local;

typedef VECTOR(char) name_set; /* each between spaces */

typedef struct reader {
    unseen_list *found;
    bool in_body;
    name_set locals, pointed; /* of this function */
    VECTOR(passed_local) passed;
} reader;

/* "[file:line:col] " wherever it stands; the first one is kept. */
static void strip_places(char *line, unseen *found) {
    found->place[0] = '\0';
    char *out = line;
    for (char *in = line; *in;) {
        char *end = *in == '[' ? strchr(in, ']') : NULL;
        char *colon = end ? memchr(in, ':', (size_t)(end - in)) : NULL;
        if (colon && end[1] == ' ' && isdigit((unsigned char)colon[1])) {
            char *second = memchr(colon + 1, ':', (size_t)(end - colon - 1));
            if (!found->place[0] && second && second - in < UNSEEN_PLACE_SIZE) {
                snprintf(found->place, UNSEEN_PLACE_SIZE, "%.*s", (int)(second - in - 1), in + 1);
                found->line = (unsigned)strtoul(colon + 1, NULL, 10);
                found->column = (unsigned)strtoul(second + 1, NULL, 10);
            }
            in = end + 2;
        } else {
            *out++ = *in++;
        }
    }
    *out = '\0';
}

static void add_name(name_set *set, const char *name, size_t length) {
    vector_push(set, ' ');
    for (size_t i = 0; i < length; i++) {
        vector_push(set, name[i]);
    }
    vector_push(set, ' ');
}

static bool has_name(const name_set *set, const char *name, size_t length) {
    for (uint32_t i = 0; i + length + 1 < set->count; i++) {
        const char *at = &vector_at(set, i);
        if (at[0] == ' ' && memcmp(at + 1, name, length) == 0 && at[length + 1] == ' ') {
            return true;
        }
    }
    return false;
}

/* A name with a version, "p_7" or "a_2(D)": a value in a register. */
static bool is_value(const char *text, size_t length) {
    if (length > 3 && text_starts(text + length - 3, "(D)")) {
        length -= 3;
    }
    size_t digits = 0;
    while (digits < length && isdigit((unsigned char)text[length - 1 - digits])) {
        digits++;
    }
    return digits > 0 && digits < length && text[length - 1 - digits] == '_' &&
           instruction_name(text) >= length;
}

static void report(reader *r, const unseen *found, const char *variable) {
    unseen copy = *found;
    snprintf(copy.variable, sizeof copy.variable, "%s", variable);
    vector_push(r->found, copy);
}

/* An operand of a call: reported if it lies in memory which others may know. */
static void operand(reader *r, const char *text, size_t length, const unseen *found) {
    while (length && *text == ' ') {
        text++;
        length--;
    }
    if (!length || is_value(text, length) || strchr("0123456789-\"&'{(", *text)) {
        return;
    }
    if (*text == '*' || text_starts(text, "MEM") || memmem(text, length, "->", 2)) {
        report(r, found, "");
        return;
    }
    size_t name = instruction_name(text);
    name = name < length ? name : length;
    if (!name) {
        return; /* "<retval>": the caller's, who announces it */
    }
    const char *dot = memchr(text, '.', name);
    size_t base = dot ? (size_t)(dot - text) : name;
    passed_local local = {.found = *found};
    if (has_name(&r->locals, text, name) || has_name(&r->locals, text, base)) {
        size_t known = has_name(&r->locals, text, name) ? name : base;
        if (known >= sizeof local.name) {
            report(r, found, "");
            return;
        }
        snprintf(local.name, sizeof local.name, "%.*s", (int)known, text);
        vector_push(&r->passed, local);
    } else {
        snprintf(local.name, sizeof local.name, "%.*s", (int)base, text);
        report(r, found, local.name);
    }
}

static void operands(reader *r, const char *list, const unseen *found) {
    int depth = 0;
    bool quoted = false;
    const char *start = list;
    for (const char *at = list; *at && depth >= 0; at++) {
        quoted = *at == '"' && (at == list || at[-1] != '\\') ? !quoted : quoted;
        depth += quoted ? 0 : *at == '(' || *at == '[' ? 1 : *at == ')' || *at == ']' ? -1 : 0;
        if (!quoted && (depth < 0 || (*at == ',' && depth == 0))) {
            operand(r, start, (size_t)(at - start), found);
            start = at + 1;
        }
    }
}

/* "__builtin_memset (&x, 0, 8);": no call will be made. */
static bool is_expanded(const char *callee, const char *open) {
    static const char names[] =
        "__builtin_memcpy __builtin_memmove __builtin_memset __builtin_mempcpy";
    const char *last = strrchr(open, ',');
    return last && text_is_listed(callee, (size_t)(open - callee), names) &&
           isdigit((unsigned char)last[2]);
}

/* "x = f (a, b);" or "f (a, b);" */
static void statement(reader *r, char *line, unseen *found) {
    char *text = line + strspn(line, " ");
    char *open = strstr(text, " (");
    if (!open || text_starts(text, "__builtin___tsan") || text_starts(text, "if ") ||
        text_starts(text, "switch ") || text_starts(text, "return")) {
        return;
    }
    char *equals = strstr(text, " = ");
    if (equals && equals < open && equals + 2 == open) {
        return; /* a cast */
    }
    bool assigns = equals && equals < open;
    const char *callee = assigns ? equals + 3 : text;
    if (callee + instruction_name(callee) != open) {
        return; /* an expression */
    }
    if (text_starts(callee, "__builtin_init_trampoline ")) {
        found->kind = SITE_NESTED;
        report(r, found, "");
        return;
    }
    if (is_expanded(callee, open)) {
        found->kind = SITE_BUILTIN;
        report(r, found, "");
        return;
    }
    found->kind = SITE_BY_VALUE;
    if (!is_value(callee, (size_t)(open - callee))) {
        snprintf(found->callee, sizeof found->callee, "%.*s", (int)(open - callee), callee);
    }
    if (assigns) {
        found->result = true;
        operand(r, text, (size_t)(equals - text), found);
    }
    found->result = false;
    operands(r, open + 2, found);
}

/* The names after "&". */
static void note_pointed(reader *r, const char *line) {
    const char *text = line + strspn(line, " ");
    if (text_starts(text, "__builtin___tsan")) {
        return;
    }
    for (const char *at = text; (at = strchr(at, '&'));) {
        size_t length = instruction_name(++at);
        const char *dot = memchr(at, '.', length);
        add_name(&r->pointed, at, length);
        if (dot) {
            add_name(&r->pointed, at, (size_t)(dot - at));
        }
    }
}

static void end_function(reader *r) {
    for (uint32_t i = 0; i < r->passed.count; i++) {
        const passed_local *p = &vector_at(&r->passed, i);
        if (has_name(&r->pointed, p->name, strlen(p->name))) {
            report(r, &p->found, "");
        }
    }
    vector_clear(&r->passed);
    vector_clear(&r->pointed);
    vector_clear(&r->locals);
    r->in_body = false;
}

/* "  struct big loc;", or the parameters in "f (struct big x, int y)" */
static void declaration(reader *r, const char *line) {
    for (const char *end = line + strcspn(line, ",);["); *end;
         end += 1 + strcspn(end + 1, ",);[")) {
        const char *start = end;
        while (start > line && (isalnum((unsigned char)start[-1]) || strchr("_.$", start[-1]))) {
            start--;
        }
        add_name(&r->locals, start, (size_t)(end - start));
    }
}

static void read_line(void *context, char *line) {
    reader *r = context;
    unseen found = {0};
    if (text_starts(line, ";; Function")) {
        end_function(r);
    } else if (text_starts(line, "  <bb ")) {
        r->in_body = true;
    } else if (!r->in_body) {
        if (!text_starts(line, "  static ")) {
            declaration(r, line);
        }
    } else {
        strip_places(line, &found);
        note_pointed(r, line);
        statement(r, line, &found);
    }
}

void unseen_in_dump(const char *dump, unseen_list *found) {
    FILE *file = fopen(dump, "r");
    if (!file) {
        return;
    }
    reader r = {.found = found};
    lines_read(file, read_line, &r);
    end_function(&r);
    fclose(file);
    vector_free(&r.locals);
    vector_free(&r.pointed);
    vector_free(&r.passed);
}
