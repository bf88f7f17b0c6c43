#include "targets/native/types.h"

#include <dwarf.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MAX_NESTING = 16 };

/* The type of a variable, member or element, without qualifiers and names. */
bool type_of_die(Dwarf_Die *die, Dwarf_Die *type) {
    Dwarf_Attribute attribute;
    do { /* libdw leaves _Atomic on */
        if (!dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), type) ||
            dwarf_peel_type(type, type) != 0) {
            return false;
        }
        die = type;
    } while (dwarf_tag(type) == DW_TAG_atomic_type);
    return true;
}

static bool unsigned_attribute(Dwarf_Die *die, unsigned name, uint64_t *value) {
    Dwarf_Attribute attribute;
    Dwarf_Word word;
    if (dwarf_formudata(dwarf_attr_integrate(die, name, &attribute), &word) != 0) {
        return false;
    }
    *value = word;
    return true;
}

/* libdw does not know the size of arrays of _Atomic. */
static uint64_t array_size(Dwarf_Die *type) {
    Dwarf_Die element, range;
    if (dwarf_tag(type) != DW_TAG_array_type || !type_of_die(type, &element) ||
        dwarf_child(type, &range) != 0) {
        return 0;
    }
    uint64_t size = type_size(&element);
    do {
        uint64_t count;
        if (unsigned_attribute(&range, DW_AT_count, &count)) {
            size *= count;
        } else if (unsigned_attribute(&range, DW_AT_upper_bound, &count)) {
            size *= count + 1;
        }
    } while (dwarf_siblingof(&range, &range) == 0);
    return size;
}

uint64_t type_size(Dwarf_Die *type) {
    Dwarf_Word size;
    return dwarf_aggregate_size(type, &size) == 0 ? size : array_size(type);
}

/* ---- parts ---- */

static void append(char *name, size_t size, const char *text) {
    size_t used = strlen(name);
    snprintf(name + used, size - used, "%s", text);
}

static bool enter_member(Dwarf_Die *type, uint64_t *offset, char *name, size_t size) {
    Dwarf_Die member;
    if (dwarf_child(type, &member) != 0) {
        return false;
    }
    do {
        uint64_t start = 0;
        Dwarf_Die inner;
        if (dwarf_tag(&member) != DW_TAG_member || !type_of_die(&member, &inner)) {
            continue;
        }
        unsigned_attribute(&member, DW_AT_data_member_location, &start);
        if (*offset >= start && *offset < start + type_size(&inner)) {
            const char *member_name = dwarf_diename(&member);
            if (member_name) {
                append(name, size, ".");
                append(name, size, member_name);
            }
            *offset -= start;
            *type = inner;
            return true;
        }
    } while (dwarf_siblingof(&member, &member) == 0);
    return false;
}

static bool enter_element(Dwarf_Die *type, uint64_t *offset, char *name, size_t size) {
    Dwarf_Die element;
    uint64_t element_size = type_of_die(type, &element) ? type_size(&element) : 0;
    if (!element_size) {
        return false;
    }
    char index[32];
    snprintf(index, sizeof index, "[%llu]", (unsigned long long)(*offset / element_size));
    append(name, size, index);
    *offset %= element_size;
    *type = element;
    return true;
}

uint64_t type_descend(Dwarf_Die *type, uint64_t offset, char *name, size_t size) {
    for (int depth = 0; depth < MAX_NESTING; depth++) {
        int tag = dwarf_tag(type);
        bool aggregate = tag == DW_TAG_structure_type || tag == DW_TAG_union_type;
        if (aggregate ? !enter_member(type, &offset, name, size)
                      : tag != DW_TAG_array_type || !enter_element(type, &offset, name, size)) {
            break;
        }
    }
    return offset;
}

/* ---- values ---- */

static int64_t extended(uint64_t value, uint64_t size) {
    unsigned unused = size && size < 8 ? 64 - 8 * (unsigned)size : 0;
    return (int64_t)(value << unused) >> unused;
}

bool type_is_pointer(Dwarf_Die *type) {
    return dwarf_tag(type) == DW_TAG_pointer_type;
}

bool type_is_character(Dwarf_Die *type) {
    uint64_t encoding = 0;
    return dwarf_tag(type) == DW_TAG_base_type &&
           unsigned_attribute(type, DW_AT_encoding, &encoding) &&
           (encoding == DW_ATE_signed_char || encoding == DW_ATE_unsigned_char);
}

static bool describe_enumerator(Dwarf_Die *type, uint64_t value, char *words, size_t size) {
    Dwarf_Die member;
    if (dwarf_child(type, &member) != 0) {
        return false;
    }
    do {
        Dwarf_Attribute attribute;
        Dwarf_Sword known;
        if (dwarf_tag(&member) == DW_TAG_enumerator &&
            dwarf_formsdata(dwarf_attr(&member, DW_AT_const_value, &attribute), &known) == 0 &&
            known == extended(value, type_size(type))) {
            snprintf(words, size, "%s", dwarf_diename(&member));
            return true;
        }
    } while (dwarf_siblingof(&member, &member) == 0);
    return false;
}

static bool describe_real(uint64_t value, uint64_t bytes, char *words, size_t size) {
    float small;
    double large;
    memcpy(&small, &value, sizeof small);
    memcpy(&large, &value, sizeof large);
    snprintf(words, size, "%g", bytes == sizeof small ? (double)small : large);
    return bytes == sizeof small || bytes == sizeof large;
}

static void describe_character(uint64_t value, bool negative, char *words, size_t size) {
    char c = (char)value;
    int64_t number = negative ? extended(value, 1) : (int64_t)(value & 0xff);
    if (c >= ' ' && c <= '~') {
        snprintf(words, size, "%" PRId64 " '%c'", number, c);
    } else {
        snprintf(words, size, "%" PRId64, number);
    }
}

bool type_describe_value(Dwarf_Die *type, uint64_t value, char *words, size_t size) {
    uint64_t encoding = 0, bytes = type_size(type);
    if (dwarf_tag(type) == DW_TAG_enumeration_type) {
        return describe_enumerator(type, value, words, size);
    }
    if (dwarf_tag(type) != DW_TAG_base_type || bytes > sizeof value ||
        !unsigned_attribute(type, DW_AT_encoding, &encoding)) {
        return false;
    }
    switch (encoding) {
        case DW_ATE_boolean: snprintf(words, size, "%s", value & 1 ? "true" : "false"); return true;
        case DW_ATE_signed: snprintf(words, size, "%" PRId64, extended(value, bytes)); return true;
        case DW_ATE_unsigned: snprintf(words, size, "%" PRIu64, value); return true;
        case DW_ATE_signed_char: describe_character(value, true, words, size); return true;
        case DW_ATE_unsigned_char: describe_character(value, false, words, size); return true;
        case DW_ATE_float: return describe_real(value, bytes, words, size);
        default: return false;
    }
}
