#define _GNU_SOURCE
#include "targets/native/unseen.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/vector.h"
#include "targets/native/gimple.h"
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
    name_set symbols;                   /* that look like values: "x_1" */
    name_set locals, pointed, pointers; /* of this function */
    name_set addresses;                 /* values that are the address of something, "_2 = &x" */
    VECTOR(passed_local) passed;
} reader;

static void add_name(name_set *set, const char *name, size_t length) {
    vector_push(set, ' ');
    for (size_t i = 0; i < length; i++) {
        vector_push(set, name[i]);
    }
    vector_push(set, ' ');
}

static bool has_name(const name_set *set, const char *name, size_t length) {
    const char *at = set->items, *end = at + set->count;
    while (set->count && (at = memmem(at, (size_t)(end - at), name, length))) {
        if (at > set->items && at[-1] == ' ' && at[length] == ' ') {
            return true;
        }
        at++;
    }
    return false;
}

/* Of a line of assembly, without strings. A number is added to the names of static locals. */
static void note_symbols(void *context, char *line) {
    reader *r = context;
    for (const char *at = strchr(line, '"') ? "" : line; *at;) {
        size_t length = instruction_name(at);
        const char *dot = memchr(at, '.', length);
        size_t name = dot ? (size_t)(dot - at) : length;
        if (gimple_has_version(at, name) && !has_name(&r->symbols, at, name)) {
            add_name(&r->symbols, at, name);
        }
        at += length ? length : 1;
    }
}

/* A name with a version, "p_7" or "a_2(D)", that no variable has: a value in a register. */
static bool is_value(const reader *r, const char *text, size_t length) {
    if (length > 3 && text_starts(text + length - 3, "(D)")) {
        length -= 3;
    }
    return gimple_has_version(text, length) && instruction_name(text) >= length &&
           !has_name(&r->symbols, text, length) && !has_name(&r->locals, text, length);
}

static void report(reader *r, const unseen *found, const char *variable) {
    unseen copy = *found;
    snprintf(copy.variable, sizeof copy.variable, "%s", variable);
    vector_push(r->found, copy);
}

static const char complex_constant[] = "__complex__ (";

/* An operand of a call: reported if it lies in memory which others may know. */
static void operand(reader *r, const char *text, size_t length, const unseen *found) {
    while (length && *text == ' ') {
        text++;
        length--;
    }
    if (!length || is_value(r, text, length) || strchr("0123456789-\"&'{(", *text) ||
        text_starts(text, complex_constant)) {
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

/* "&x", or a value of a type with a star. */
static bool is_pointer(const reader *r, const char *text) {
    size_t length = instruction_name(text);
    const char *version = memrchr(text, '_', length);
    return *text == '&' || (length && has_name(&r->pointers, text, length)) ||
           (version && version > text && has_name(&r->pointers, text, (size_t)(version - text)));
}

static bool is_address(const reader *r, const char *text) {
    size_t length = instruction_name(text);
    return *text == '&' || (length && has_name(&r->addresses, text, length));
}

/* "__builtin_ia32_storelps (__P_4, __A_5);" */
static bool is_of_machine(const reader *r, const char *callee, const char *open, unseen *found) {
    static const char harmless[] =
        "__builtin_ia32_clflush* __builtin_ia32_clwb "
        "__builtin_ia32_cldemote __builtin_ia32_monitor* "
        "__builtin_ia32_umonitor";
    bool pointer = false;
    if (!text_starts(callee, "__builtin_ia32_") ||
        text_is_listed(callee, (size_t)(open - callee), harmless)) {
        return false;
    }
    found->direct = false;
    for (const char *at = open + 1; at; at = strchr(at, ',')) {
        at += 1 + strspn(at + 1, " ");
        pointer = pointer || is_pointer(r, at);
        found->direct = found->direct || is_address(r, at);
    }
    return pointer;
}

/* "x = f (a, b);" or "f (a, b);" */
static void find_in_statement(reader *r, char *line, unseen *found) {
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
    if (callee + instruction_name(callee) != open || text_starts(callee, complex_constant)) {
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
    if (is_of_machine(r, callee, open, found)) {
        char name[UNSEEN_NAME_SIZE];
        snprintf(name, sizeof name, "%.*s", (int)(open - callee), callee);
        found->kind = SITE_MACHINE;
        report(r, found, name);
        return;
    }
    found->kind = SITE_BY_VALUE;
    if (!is_value(r, callee, (size_t)(open - callee))) {
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

/* "_2 = &x;" */
static void note_address(reader *r, const char *line) {
    const char *text = line + strspn(line, " ");
    size_t length = instruction_name(text);
    if (length && text_starts(text + length, " = &")) {
        add_name(&r->addresses, text, length);
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
    vector_clear(&r->pointers);
    vector_clear(&r->addresses);
}

/* The declaration "struct big loc" of a struct or a union itself, and not of a pointer to one. */
static bool declares_aggregate(const char *type, const char *name) {
    size_t length = (size_t)(name - type);
    return !memchr(type, '*', length) &&
           (memmem(type, length, "struct ", 7) || memmem(type, length, "union ", 6));
}

/* "  struct big loc;", or the parameters in "f (struct big x, int y)". The compiler's values are
 * declared, too ("struct big * _7;"), but are no structs. */
static void declaration(void *context, const char *line) {
    reader *r = context;
    if (text_starts(line, "  static ")) {
        return;
    }
    const char *type = line;
    for (const char *end = line + strcspn(line, ",);["); *end;
         end += 1 + strcspn(end + 1, ",);[")) {
        const char *start = end;
        while (start > line && (isalnum((unsigned char)start[-1]) || strchr("_.$", start[-1]))) {
            start--;
        }
        size_t length = (size_t)(end - start);
        if (!gimple_has_version(start, length) || declares_aggregate(type, start)) {
            add_name(&r->locals, start, length);
        }
        if (memchr(type, '*', (size_t)(start - type))) {
            add_name(&r->pointers, start, length);
        }
        type = end + 1;
    }
}

static void begin_function(void *context, const char *line) {
    (void)line;
    end_function(context);
}

static void statement(void *context, char *line, const gimple_place *place) {
    unseen found = {0};
    if (place->file[0]) {
        snprintf(found.place, sizeof found.place, "%s:%u", place->file, place->row);
        found.line = place->row;
        found.column = place->column;
    }
    note_pointed(context, line);
    note_address(context, line);
    find_in_statement(context, line, &found);
}

void unseen_in_dump(const char *dump, const char *assembly, unseen_list *found) {
    static const gimple_visitor visitor = {
        .function = begin_function, .declaration = declaration, .statement = statement};
    reader r = {.found = found};
    FILE *file = fopen(assembly, "r");
    if (file) {
        lines_read(file, note_symbols, &r);
        fclose(file);
    }
    gimple_visit(dump, &visitor, &r);
    end_function(&r);
    vector_free(&r.symbols);
    vector_free(&r.locals);
    vector_free(&r.pointed);
    vector_free(&r.pointers);
    vector_free(&r.addresses);
    vector_free(&r.passed);
}
