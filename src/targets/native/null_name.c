#include "targets/native/null_name.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "targets/native/types.h"

enum { NEAR_NULL = 4096 };

typedef struct search {
    Dwarf_Die unit;
    Dwarf_Addr code;
    uint64_t address;
    const char *line;
    null_name *found;
} search;

/* An element, or the address itself. */
static bool leads_to(const search *s, operand *o) {
    uint64_t size = type_size(&o->type);
    return o->indexed ? size && s->address >= o->offset && (s->address - o->offset) % size == 0
                      : s->address == o->offset;
}

/* "n->next": some pointer in it is NULL, and the rest leads to the address. */
static bool try_parts(search *s, const char *start, const char *end) {
    operand o;
    null_name *n = s->found;
    if (end <= start || end - start >= OPERAND_SIZE) {
        return false;
    }
    snprintf(n->whole, sizeof n->whole, "%.*s", (int)(end - start), start);
    if (!operand_resolve(&s->unit, s->code, n->whole, &o) || !o.pointer_length ||
        !leads_to(s, &o)) {
        return false;
    }
    snprintf(n->pointer, sizeof n->pointer, "%.*s", (int)o.pointer_length, n->whole);
    return true;
}

/* "*p" */
static bool try_pointer(search *s, const char *start, const char *end) {
    operand o;
    null_name *n = s->found;
    if (end <= start || end - start >= OPERAND_SIZE - 1 || s->address) {
        return false;
    }
    snprintf(n->pointer, sizeof n->pointer, "%.*s", (int)(end - start), start);
    snprintf(n->whole, sizeof n->whole, "*%.*s", (int)(end - start), start);
    return operand_resolve(&s->unit, s->code, n->pointer, &o) && type_is_pointer(&o.type);
}

/* After "->next", ".next", "[i]" or a word. */
static const char *end_of_part(const char *at) {
    const char *closed = *at == '[' ? strchr(at, ']') : NULL;
    if (closed) {
        return closed + 1;
    }
    at += text_starts(at, "->") ? 2 : *at == '.' ? 1 : 0;
    while (text_is_name_part(*at)) {
        at++;
    }
    return at;
}

static const char *end_of_operand(const char *at) {
    while (text_is_name_part(*at) || *at == '.' || *at == '[' || text_starts(at, "->")) {
        const char *end = end_of_part(at);
        if (end == at) {
            break;
        }
        at = end;
    }
    return at;
}

/* "p" after one "*": of "**p" it is not known which one is NULL. */
static bool is_dereferenced(const search *s, const char *start) {
    return start > s->line && start[-1] == '*' && (start - 1 == s->line || start[-2] != '*');
}

static bool try_operand(search *s, const char *start, const char *end) {
    return is_dereferenced(s, start) ? try_pointer(s, start, end) : try_parts(s, start, end);
}

/* What stands before "=" or "++". */
static bool try_before(search *s, const char *at) {
    while (at > s->line && at[-1] == ' ') {
        at--;
    }
    return try_operand(s, operand_start(s->line, at), at);
}

/* What stands after "=", "++" or "*". */
static bool try_after(search *s, const char *at) {
    at += strspn(at, "=*+- ");
    return try_operand(s, at, end_of_operand(at));
}

/* The next argument of the call whose arguments `at` is among; NULL: there is none. */
static const char *next_argument(const char *at) {
    for (int depth = 0; *at && depth >= 0; at++) {
        depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
        if (*at == ',' && depth == 0) {
            return at + 1 + strspn(at + 1, " ");
        }
    }
    return NULL;
}

/* "atomic_fetch_add(&n->refs, 1)", or what is read first: "atomic_store(&head, n->next)". */
static bool try_argument(search *s, const char *at, bool writes) {
    if (!text_starts(at, "atomic_") && !text_starts(at, "__atomic_")) {
        return false;
    }
    while (text_is_name_part(*at)) {
        at++;
    }
    at += strspn(at, " (");
    for (const char *other = at; !writes && (other = next_argument(other));) {
        if (try_parts(s, other, end_of_operand(other))) {
            return true;
        }
    }
    return *at == '&' && try_parts(s, at + 1, end_of_operand(at + 1));
}

static bool is_assignment(const search *s, const char *at) {
    return *at == '=' && at[1] != '=' && at > s->line && !strchr("=!<>+-*/%|&^", at[-1]);
}

/* gcc gives the column of the last "->", ".", "[" or "*", or that of what is done to it. */
static bool try_column(search *s, uint32_t column, bool writes) {
    if (!column || column > strlen(s->line)) {
        return false;
    }
    const char *at = s->line + column - 1;
    if (is_assignment(s, at)) {
        return writes ? try_before(s, at) : try_after(s, at);
    }
    if (*at == '*' || text_starts(at, "++") || text_starts(at, "--")) {
        return try_before(s, at) || try_after(s, at);
    }
    return try_parts(s, operand_start(s->line, at), end_of_part(at)) || try_before(s, at) ||
           try_argument(s, at, writes);
}

bool null_name_find(symbolizer *symbols, uintptr_t return_address, uintptr_t address, bool writes,
                    null_name *found) {
    char line[OPERAND_LINE_SIZE];
    search s = {.code = return_address - 1, .address = address, .line = line, .found = found};
    return address < NEAR_NULL && operand_line(symbols, return_address, line) &&
           symbolizer_unit(symbols, &s.code, &s.unit) &&
           try_column(&s, symbolizer_column(symbols, return_address), writes);
}
