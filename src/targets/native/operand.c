#include "targets/native/operand.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "targets/native/types.h"

/* ---- the line of the source ---- */

static bool read_line(const char *path, uint32_t number, char *line) {
    FILE *file = fopen(path, "r");
    bool found = false;
    for (uint32_t i = 0; file && i < number; i++) {
        found = fgets(line, OPERAND_LINE_SIZE, file) != NULL;
    }
    if (file) {
        fclose(file);
    }
    return found;
}

const char *operand_take_word(const char *text, char *word) {
    size_t length = 0;
    while (text_is_name_part(text[length])) {
        length++;
    }
    snprintf(word, OPERAND_SIZE, "%.*s", (int)length, text);
    return text + length;
}

const char *operand_start(const char *line, const char *end) {
    uint32_t open = 0;
    while (end > line) {
        char c = end[-1];
        bool arrow = c == '>' && end - 1 > line && end[-2] == '-';
        open += c == ']';
        if (!open && !text_is_name_part(c) && c != '.' && !arrow) {
            break;
        }
        open -= open && c == '[';
        end -= arrow ? 2 : 1;
    }
    return end;
}

/* ---- the debug information ---- */

static bool is_called(Dwarf_Die *die, const char *name) {
    const char *known = dwarf_diename(die);
    return known && strcmp(known, name) == 0;
}

static bool find_child(Dwarf_Die *parent, enum operand_sort sort, const char *name,
                       Dwarf_Die *found) {
    if (dwarf_child(parent, found) != 0) {
        return false;
    }
    do {
        int tag = dwarf_tag(found);
        bool wanted =
            sort == OPERAND_VARIABLE ? tag == DW_TAG_variable || tag == DW_TAG_formal_parameter
            : sort == OPERAND_STRUCT ? tag == DW_TAG_structure_type || tag == DW_TAG_union_type
                                     : tag == DW_TAG_typedef;
        if (wanted && is_called(found, name)) {
            return true;
        }
    } while (dwarf_siblingof(found, found) == 0);
    return false;
}

bool operand_find(Dwarf_Die *unit, Dwarf_Addr code, enum operand_sort sort, const char *name,
                  Dwarf_Die *found) {
    Dwarf_Die *scopes = NULL;
    int count = dwarf_getscopes(unit, code, &scopes);
    bool good = false;
    for (int i = 0; i < count && !good; i++) {
        good = find_child(&scopes[i], sort, name, found);
    }
    free(scopes);
    return good;
}

static bool find_member(Dwarf_Die *type, const char *name, Dwarf_Die *inner, uint64_t *offset) {
    Dwarf_Die member;
    Dwarf_Attribute attribute;
    Dwarf_Word start = 0;
    if (dwarf_child(type, &member) != 0) {
        return false;
    }
    do {
        if (is_called(&member, name)) {
            dwarf_formudata(dwarf_attr(&member, DW_AT_data_member_location, &attribute), &start);
            *offset += start;
            return type_of_die(&member, inner);
        }
    } while (dwarf_siblingof(&member, &member) == 0);
    return false;
}

static void follow_pointer(operand *o, const char *at, Dwarf_Die *inner) {
    o->type = *inner;
    o->pointer_length = (size_t)(at - o->text);
    o->offset = 0;
    o->indexed = false;
}

/* One part of the operand after its beginning: "->items", ".next", "[i]". */
static const char *enter_part(operand *o, const char *at) {
    char member[OPERAND_SIZE];
    Dwarf_Die inner;
    if (*at == '[') {
        const char *end = strchr(at, ']');
        bool pointer = type_is_pointer(&o->type);
        if (!end || !type_of_die(&o->type, &inner)) {
            return NULL;
        }
        if (pointer) {
            follow_pointer(o, at, &inner);
        }
        o->type = inner;
        o->indexed = true;
        return end + 1;
    }
    if (*at == '-') {
        if (!type_is_pointer(&o->type) || !type_of_die(&o->type, &inner)) {
            return NULL;
        }
        follow_pointer(o, at, &inner);
    }
    at = operand_take_word(at + (*at == '-' ? 2 : 1), member);
    bool good = find_member(&o->type, member, &inner, &o->offset);
    o->type = good ? inner : o->type;
    return good ? at : NULL;
}

bool operand_resolve(Dwarf_Die *unit, Dwarf_Addr code, const char *words, operand *o) {
    char first[OPERAND_SIZE];
    Dwarf_Die variable;
    *o = (operand){.text = words};
    const char *at = operand_take_word(words, first);
    if (!operand_find(unit, code, OPERAND_VARIABLE, first, &variable) ||
        !type_of_die(&variable, &o->type)) {
        return false;
    }
    while (at && *at) {
        at = enter_part(o, at);
    }
    return at != NULL;
}

bool operand_line(symbolizer *s, uintptr_t return_address, char *line) {
    return operand_line_after(s, return_address, 0, line);
}

bool operand_line_after(symbolizer *s, uintptr_t return_address, uint32_t count, char *line) {
    const char *file;
    uint32_t number;
    return symbolizer_line(s, return_address, &file, &number) &&
           read_line(file, number + count, line);
}
