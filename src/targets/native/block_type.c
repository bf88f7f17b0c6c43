#include "targets/native/block_type.h"

#include <ctype.h>
#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vector.h"
#include "targets/native/types.h"

enum { LINE_SIZE = 512 };

/* ---- the line of the source ---- */

static bool read_line(const char *path, uint32_t number, char *line) {
    FILE *file = fopen(path, "r");
    bool found = false;
    for (uint32_t i = 0; file && i < number; i++) {
        found = fgets(line, LINE_SIZE, file) != NULL;
    }
    if (file) {
        fclose(file);
    }
    return found;
}

static bool is_part(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* The word at this place; the place after it. */
static const char *take_word(const char *text, char *word) {
    size_t length = 0;
    while (is_part(text[length])) {
        length++;
    }
    snprintf(word, BLOCK_NAME_SIZE, "%.*s", (int)length, text);
    return text + length;
}

static const char *skip(const char *text, const char *what) {
    return text + strspn(text, what);
}

/* The last "=" before `end`, if it assigns. */
static const char *find_assignment(const char *line, const char *end) {
    for (const char *at = end; at-- > line;) {
        if (*at == '=' && at[1] != '=' && (at == line || !strchr("=!<>+-*/|&", at[-1]))) {
            return at;
        }
    }
    return NULL;
}

/* The beginning of "q->items[i]" that ends here, without what is declared before it. */
static const char *find_operand(const char *line, const char *end) {
    uint32_t open = 0;
    while (end > line) {
        char c = end[-1];
        bool arrow = c == '>' && end - 1 > line && end[-2] == '-';
        open += c == ']';
        if (!open && !is_part(c) && c != '.' && !arrow) {
            break;
        }
        open -= open && c == '[';
        end -= arrow ? 2 : 1;
    }
    return end;
}

/* What the result of the call is assigned to: "q" of "struct queue *q = malloc(sizeof *q)". */
static bool find_variable(const char *line, char *name) {
    const char *call = strstr(line, "alloc"), *size = strstr(line, "sizeof");
    call = call ? call : strstr(line, "dup");
    const char *end =
        call || size ? find_assignment(line, call && (!size || call < size) ? call : size) : NULL;
    if (!end) {
        return false;
    }
    while (end > line && end[-1] == ' ') {
        end--;
    }
    const char *start = find_operand(line, end);
    snprintf(name, BLOCK_NAME_SIZE, "%.*s", (int)(end - start), start);
    return start < end && (isalpha((unsigned char)*start) || *start == '_');
}

/* What sizeof is asked about: "sizeof *q", "sizeof(*q)", "sizeof(struct node)", "sizeof(node)". */
typedef struct asked {
    bool pointee;   /* what the variable points to, not a type */
    bool structure; /* a tag of a struct or union, not a name of a type */
    char name[BLOCK_NAME_SIZE];
} asked;

static bool find_asked(const char *line, asked *a) {
    char word[BLOCK_NAME_SIZE];
    const char *at = strstr(line, "sizeof");
    if (!at) {
        return false;
    }
    at = skip(at + strlen("sizeof"), " (");
    a->pointee = *at == '*';
    at = take_word(skip(at, "* "), word);
    a->structure = strcmp(word, "struct") == 0 || strcmp(word, "union") == 0;
    if (a->structure) {
        at = take_word(skip(at, " "), word);
    }
    at = skip(at, " ");
    snprintf(a->name, sizeof a->name, "%s", word);
    return *word && strchr(a->pointee ? ");," : ")", *at) != NULL;
}

/* ---- the debug information ---- */

static bool is_called(Dwarf_Die *die, const char *name) {
    const char *known = dwarf_diename(die);
    return known && strcmp(known, name) == 0;
}

static bool find_child(Dwarf_Die *parent, const asked *a, Dwarf_Die *found) {
    if (dwarf_child(parent, found) != 0) {
        return false;
    }
    do {
        int tag = dwarf_tag(found);
        bool wanted = a->pointee     ? tag == DW_TAG_variable || tag == DW_TAG_formal_parameter
                      : a->structure ? tag == DW_TAG_structure_type || tag == DW_TAG_union_type
                                     : tag == DW_TAG_typedef;
        if (wanted && is_called(found, a->name)) {
            return true;
        }
    } while (dwarf_siblingof(found, found) == 0);
    return false;
}

/* From the innermost scope of the code outwards. */
static bool find_in_scopes(Dwarf_Die *unit, Dwarf_Addr code, const asked *a, Dwarf_Die *found) {
    Dwarf_Die *scopes = NULL;
    int count = dwarf_getscopes(unit, code, &scopes);
    bool good = false;
    for (int i = 0; i < count && !good; i++) {
        good = find_child(&scopes[i], a, found);
    }
    free(scopes);
    return good;
}

static bool find_type(Dwarf_Die *found, const asked *a, Dwarf_Die *type) {
    if (a->structure) {
        *type = *found;
        return true;
    }
    Dwarf_Die pointer;
    if (a->pointee) {
        return type_of_die(found, &pointer) && type_is_pointer(&pointer) &&
               type_of_die(&pointer, type);
    }
    return type_of_die(found, type);
}

/* ---- the type of what is assigned to ---- */

static bool find_member(Dwarf_Die *type, const char *name, Dwarf_Die *inner) {
    Dwarf_Die member;
    if (dwarf_child(type, &member) != 0) {
        return false;
    }
    do {
        if (is_called(&member, name)) {
            return type_of_die(&member, inner);
        }
    } while (dwarf_siblingof(&member, &member) == 0);
    return false;
}

/* One part of the operand after its beginning: "->items", ".next", "[i]". */
static const char *enter_part(const char *at, Dwarf_Die *type) {
    char member[BLOCK_NAME_SIZE];
    Dwarf_Die inner;
    const char *end = *at == '[' ? strchr(at, ']') : NULL;
    if (*at == '[') {
        bool good = end && type_of_die(type, &inner);
        *type = good ? inner : *type;
        return good ? end + 1 : NULL;
    }
    if (*at == '-' && !(type_is_pointer(type) && type_of_die(type, type))) {
        return NULL;
    }
    at = take_word(at + (*at == '-' ? 2 : 1), member);
    bool good = find_member(type, member, &inner);
    *type = good ? inner : *type;
    return good ? at : NULL;
}

/* What the operand, a pointer, points to. */
static bool find_pointee(Dwarf_Die *unit, Dwarf_Addr code, const char *operand, Dwarf_Die *type) {
    asked first = {.pointee = true};
    Dwarf_Die variable;
    const char *at = take_word(operand, first.name);
    if (!find_in_scopes(unit, code, &first, &variable) || !type_of_die(&variable, type)) {
        return false;
    }
    while (at && *at) {
        at = enter_part(at, type);
    }
    return at && type_is_pointer(type) && type_of_die(type, type);
}

static bool find_asked_type(Dwarf_Die *unit, Dwarf_Addr code, const asked *a, Dwarf_Die *type) {
    Dwarf_Die found;
    return find_in_scopes(unit, code, a, &found) && find_type(&found, a, type);
}

/* By what sizeof is asked about, or by the pointer that gets the address. */
static void resolve(symbolizer *s, uintptr_t return_address, block_type *b) {
    const char *file;
    uint32_t line_number;
    char line[LINE_SIZE];
    asked a;
    Dwarf_Die unit;
    Dwarf_Addr code = return_address - 1;
    if (!symbolizer_line(s, return_address, &file, &line_number) ||
        !read_line(file, line_number, line) || !symbolizer_unit(s, &code, &unit)) {
        return;
    }
    b->variable = find_variable(line, b->name);
    bool by_size = find_asked(line, &a) && find_asked_type(&unit, code, &a, &b->type);
    if (!by_size && !(b->variable && find_pointee(&unit, code, b->name, &b->type))) {
        return;
    }
    b->size = type_size(&b->type);
    b->known = b->size != 0;
    if (!b->variable) {
        snprintf(b->name, sizeof b->name, "%s%s", a.structure ? "struct " : "", a.name);
        b->known = b->known && !a.pointee;
    }
}

/* ---- remembered ---- */

static VECTOR(block_type *) remembered;

void block_type_forget(void) {
    for (uint32_t i = 0; i < remembered.count; i++) {
        memory_resize(vector_at(&remembered, i), sizeof(block_type), 0);
    }
    vector_free(&remembered);
}

const block_type *block_type_find(symbolizer *s, uintptr_t return_address) {
    block_type *b = NULL;
    for (uint32_t i = 0; i < remembered.count && !b; i++) {
        block_type *known = vector_at(&remembered, i);
        b = known->return_address == return_address ? known : NULL;
    }
    if (!b && s) {
        b = memory_resize(NULL, 0, sizeof *b);
        *b = (block_type){.return_address = return_address};
        resolve(s, return_address, b);
        vector_push(&remembered, b);
    }
    return b && b->known ? b : NULL;
}
