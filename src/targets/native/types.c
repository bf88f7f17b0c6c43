#include "targets/native/types.h"

#include <dwarf.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
enum { MAX_NESTING = 16, MOST_DIMENSIONS = 8, MOST_FIELD_NAMES = 120 };

/* A number that stands for a thread, which its bare type does not tell. */
static bool is_handle(Dwarf_Die *type) {
    const char *name = dwarf_tag(type) == DW_TAG_typedef ? dwarf_diename(type) : NULL;
    const char *file = name ? dwarf_decl_file(type) : NULL;
    return name && (strcmp(name, "pthread_t") == 0 || strcmp(name, "thrd_t") == 0 ||
                    (strcmp(name, "actor") == 0 && file && strstr(file, "heddle/actor.h")));
}

static bool is_peeled(Dwarf_Die *type) {
    int tag = dwarf_tag(type);
    return is_handle(type) ||
           (tag != DW_TAG_typedef && tag != DW_TAG_const_type && tag != DW_TAG_volatile_type &&
            tag != DW_TAG_restrict_type && tag != DW_TAG_atomic_type);
}

/* The type of a variable, member or element, without qualifiers and names. */
bool type_of_die(Dwarf_Die *die, Dwarf_Die *type) {
    Dwarf_Attribute attribute;
    do {
        if (!dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), type)) {
            return false;
        }
        die = type;
    } while (!is_peeled(type));
    return true;
}

/* The same one; sources that include one header have a copy each. */
static bool is_same(Dwarf_Die *a, Dwarf_Die *b) {
    const char *name = dwarf_diename(a), *other = dwarf_diename(b);
    return dwarf_dieoffset(a) == dwarf_dieoffset(b) ||
           (name && other && strcmp(name, other) == 0 && dwarf_tag(a) == dwarf_tag(b) &&
            type_size(a) == type_size(b));
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

/* How many elements an array has in each of its dimensions, 1 where that is not known; returns the
 * number of dimensions. */
static uint32_t list_dimensions(Dwarf_Die *type, uint64_t counts[MOST_DIMENSIONS]) {
    Dwarf_Die range;
    uint32_t number = 0;
    if (dwarf_child(type, &range) != 0) {
        return 0;
    }
    do {
        uint64_t count = 1;
        if (!unsigned_attribute(&range, DW_AT_count, &count) &&
            unsigned_attribute(&range, DW_AT_upper_bound, &count)) {
            count++;
        }
        counts[number++] = count;
    } while (number < MOST_DIMENSIONS && dwarf_siblingof(&range, &range) == 0);
    return number;
}

/* libdw does not know the size of arrays of _Atomic. */
static uint64_t array_size(Dwarf_Die *type) {
    Dwarf_Die element;
    uint64_t counts[MOST_DIMENSIONS];
    uint32_t number = 0;
    if (dwarf_tag(type) == DW_TAG_array_type && type_of_die(type, &element)) {
        number = list_dimensions(type, counts);
    }
    uint64_t size = number ? type_size(&element) : 0;
    for (uint32_t i = 0; i < number; i++) {
        size *= counts[i];
    }
    return size;
}

uint64_t type_size(Dwarf_Die *type) {
    Dwarf_Word size;
    return dwarf_aggregate_size(type, &size) == 0 ? size : array_size(type);
}

/* "int items[]", "int items[0]". */
static bool is_open_array(Dwarf_Die *type) {
    Dwarf_Die range;
    uint64_t count = 0;
    return dwarf_tag(type) == DW_TAG_array_type && dwarf_child(type, &range) == 0 &&
           !dwarf_hasattr(&range, DW_AT_upper_bound) &&
           (!unsigned_attribute(&range, DW_AT_count, &count) || count == 0);
}

bool type_is_open(Dwarf_Die *type) {
    Dwarf_Die member, inner;
    bool open = false;
    if (dwarf_tag(type) != DW_TAG_structure_type || dwarf_child(type, &member) != 0) {
        return false;
    }
    do {
        if (dwarf_tag(&member) == DW_TAG_member && type_of_die(&member, &inner)) {
            open = is_open_array(&inner) || type_is_open(&inner);
        }
    } while (dwarf_siblingof(&member, &member) == 0);
    return open;
}

/* ---- parts ---- */

/* Where a member is, in bits; false if it is something else. */
static bool find_bits(Dwarf_Die *member, Dwarf_Die *type, uint64_t *start, uint64_t *size) {
    uint64_t byte = 0;
    if (dwarf_tag(member) != DW_TAG_member || !type_of_die(member, type)) {
        return false;
    }
    unsigned_attribute(member, DW_AT_data_member_location, &byte);
    *start = 8 * byte;
    *size = is_open_array(type) || type_is_open(type) ? UINT64_MAX - *start : 8 * type_size(type);
    if (unsigned_attribute(member, DW_AT_bit_size, size)) {
        unsigned_attribute(member, DW_AT_data_bit_offset, start);
    }
    return true;
}

static bool is_bit_field(Dwarf_Die *member) {
    return dwarf_hasattr(member, DW_AT_bit_size);
}

/* Calls `visit` for the bit-fields of a struct that have bits in these bytes. */
static uint32_t visit_fields(Dwarf_Die *type, uint64_t offset, uint64_t bytes,
                             void (*visit)(void *, Dwarf_Die *, uint64_t, uint64_t),
                             void *context) {
    Dwarf_Die member, inner;
    uint64_t start, size;
    uint32_t found = 0;
    if (dwarf_child(type, &member) != 0) {
        return 0;
    }
    do {
        if (find_bits(&member, &inner, &start, &size) && is_bit_field(&member) &&
            dwarf_diename(&member) && start < 8 * (offset + bytes) && start + size > 8 * offset) {
            visit(context, &member, start, size);
            found++;
        }
    } while (dwarf_siblingof(&member, &member) == 0);
    return found;
}

typedef struct listing {
    char *words;
    size_t size;
    bool begun;
    uint64_t offset, bytes, value;
} listing;

static void list_field(void *context, Dwarf_Die *member, uint64_t start, uint64_t size) {
    listing *l = context;
    (void)start, (void)size;
    text_add(l->words, l->size, l->begun ? ", " : "");
    text_add(l->words, l->size, dwarf_diename(member));
    l->begun = true;
}

/* ".done", ".{ready, done}": an access to a bit-field is one to whole bytes, and so to all that
 * have bits there. */
static void name_fields(Dwarf_Die *type, uint64_t offset, uint64_t bytes, char *name, size_t size) {
    char fields[MOST_FIELD_NAMES] = "";
    listing l = {.words = fields, .size = sizeof fields};
    bool several = visit_fields(type, offset, bytes ? bytes : 1, list_field, &l) > 1;
    text_add(name, size, several ? ".{" : ".");
    text_add(name, size, fields);
    text_add(name, size, several ? "}" : "");
}

static bool is_aggregate(Dwarf_Die *type) {
    return dwarf_tag(type) == DW_TAG_structure_type || dwarf_tag(type) == DW_TAG_union_type;
}

/* How well the parts of a member of a union, at this place, suit what is meant. Adds their name,
 * and gives their type. */
static int rate(Dwarf_Die *type, uint64_t offset, const type_goal *goal, char *name, size_t size) {
    offset = type_descend(type, offset, goal, name, size);
    Dwarf_Die wanted = goal->type;
    bool exact = goal->pointer ? goal->known && is_same(type, &wanted)
                               : goal->size && type_size(type) == goal->size;
    return offset ? 0 : exact ? 2 : 1;
}

/* The member, which is not a bit-field, has this byte. */
static bool covers(Dwarf_Die *member, uint64_t offset, Dwarf_Die *inner, uint64_t *start) {
    uint64_t bits;
    bool found = find_bits(member, inner, start, &bits) && !is_bit_field(member) &&
                 *start <= 8 * offset && *start + bits > 8 * offset;
    *start /= 8;
    return found;
}

/* Lists those of a union that suit an access equally well: "ratio, sides[1]"; with their values, if
 * there is one. Returns how many they are. */
static uint32_t list_suiting(Dwarf_Die *type, uint64_t offset, const type_goal *goal,
                             const uint64_t *value, listing *l) {
    Dwarf_Die member, inner;
    uint64_t start;
    uint32_t suit = 0;
    if (!goal || !goal->size || dwarf_tag(type) != DW_TAG_union_type ||
        dwarf_child(type, &member) != 0) {
        return 0;
    }
    do {
        const char *own = dwarf_diename(&member);
        char name[MOST_FIELD_NAMES] = "", words[MOST_FIELD_NAMES];
        if (!covers(&member, offset, &inner, &start) ||
            rate(&inner, offset - start, goal, name, sizeof name) != 2) {
            continue;
        }
        if (value && !type_describe_value(&inner, *value, words, sizeof words)) {
            snprintf(words, sizeof words, *value ? "0x%" PRIx64 : "NULL", *value);
        }
        text_add(l->words, l->size, suit++ ? ", " : "");
        text_add(l->words, l->size, value ? words : own ? own : "");
        text_add(l->words, l->size, value ? "" : name + (!own && name[0] == '.'));
    } while (dwarf_siblingof(&member, &member) == 0);
    return suit;
}

/* ".{ratio, sides[1]}" */
static void name_suiting(Dwarf_Die *type, uint64_t offset, const type_goal *goal, char *name,
                         size_t size) {
    char names[MOST_FIELD_NAMES] = "";
    listing l = {.words = names, .size = sizeof names};
    if (list_suiting(type, offset, goal, NULL, &l) > 1 && strlen(names) + 1 < sizeof names) {
        text_add(name, size, ".{");
        text_add(name, size, names);
        text_add(name, size, "}");
    }
}

/* The member at this place, or the one of several that suits best; none, if two suit. */
static bool find_member(Dwarf_Die *type, uint64_t offset, const type_goal *goal, Dwarf_Die *found) {
    Dwarf_Die member, inner;
    uint64_t start, bits;
    int best = -1;
    uint32_t suit = 0;
    if (dwarf_child(type, &member) != 0) {
        return false;
    }
    do {
        if (!find_bits(&member, &inner, &start, &bits) || start + bits <= 8 * offset ||
            start >= 8 * offset + (is_bit_field(&member) ? 8 : 1)) {
            continue;
        }
        bool only = dwarf_tag(type) == DW_TAG_structure_type || !goal;
        char name[MOST_FIELD_NAMES] = "";
        int rated = only ? 1 : rate(&inner, offset - start / 8, goal, name, sizeof name);
        suit += rated == 2;
        if (rated > best) {
            *found = member;
            best = rated;
        }
    } while (dwarf_siblingof(&member, &member) == 0);
    return best >= 0 && suit < 2;
}

/* False where the parts end, as at bit-fields, whose type is that of the whole. */
static bool enter_member(Dwarf_Die *type, uint64_t *offset, const type_goal *goal, char *name,
                         size_t size) {
    Dwarf_Die member, inner;
    uint64_t start, bits;
    if (!find_member(type, *offset, goal, &member) || !find_bits(&member, &inner, &start, &bits)) {
        name_suiting(type, *offset, goal, name, size);
        return false;
    }
    if (is_bit_field(&member)) {
        name_fields(type, *offset, goal ? goal->size : 0, name, size);
        return false;
    }
    const char *member_name = dwarf_diename(&member);
    text_add(name, size, member_name ? "." : "");
    text_add(name, size, member_name ? member_name : "");
    *offset -= start / 8;
    *type = inner;
    return true;
}

/* "[1][0]" */
static bool enter_element(Dwarf_Die *type, uint64_t *offset, char *name, size_t size) {
    Dwarf_Die element;
    uint64_t counts[MOST_DIMENSIONS];
    uint32_t dimensions = list_dimensions(type, counts);
    uint64_t element_size = type_of_die(type, &element) ? type_size(&element) : 0;
    if (!element_size) {
        return false;
    }
    uint64_t index = *offset / element_size;
    for (uint32_t i = 0; i < (dimensions ? dimensions : 1); i++) {
        uint64_t inner = 1;
        for (uint32_t j = i + 1; j < dimensions; j++) {
            inner *= counts[j] ? counts[j] : 1;
        }
        char words[32];
        snprintf(words, sizeof words, "[%" PRIu64 "]", index / inner);
        text_add(name, size, words);
        index %= inner;
    }
    *offset %= element_size;
    *type = element;
    return true;
}

/* A pointer to this, and not to what it begins with. */
static bool is_meant(Dwarf_Die *type, uint64_t offset, const type_goal *goal) {
    Dwarf_Die wanted;
    if (!goal || !goal->pointer || offset) {
        return false;
    }
    wanted = goal->type;
    return !goal->known || is_same(type, &wanted);
}

uint64_t type_descend(Dwarf_Die *type, uint64_t offset, const type_goal *goal, char *name,
                      size_t size) {
    for (int depth = 0; depth < MAX_NESTING && !is_meant(type, offset, goal); depth++) {
        bool array = dwarf_tag(type) == DW_TAG_array_type;
        if (array ? !enter_element(type, &offset, name, size)
                  : !is_aggregate(type) || !enter_member(type, &offset, goal, name, size)) {
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

bool type_is_handle(Dwarf_Die *type) {
    return is_handle(type);
}

/* Signed ones are shown so, which their names do not tell. */
static void describe_field(void *context, Dwarf_Die *member, uint64_t start, uint64_t size) {
    listing *l = context;
    Dwarf_Die type;
    char words[MOST_FIELD_NAMES];
    uint64_t first = 8 * l->offset, encoding = 0;
    uint64_t from = start > first ? start - first : 0, before = start > first ? 0 : first - start;
    uint64_t bits = size - before;
    bool whole = !before && from + bits <= 8 * l->bytes;
    bool typed = type_of_die(member, &type);
    bool negative =
        typed && unsigned_attribute(&type, DW_AT_encoding, &encoding) && encoding == DW_ATE_signed;
    unsigned unused = 64 - (unsigned)bits;
    uint64_t raw = l->value >> from << unused;
    uint64_t value = negative ? (uint64_t)((int64_t)raw >> unused) : raw >> unused;
    if (!whole) {
        snprintf(words, sizeof words, "?");
    } else if (!typed || !type_describe_value(&type, value, words, sizeof words)) {
        snprintf(words, sizeof words, "%" PRIu64, value);
    }
    text_add(l->words, l->size, l->begun ? ", " : "");
    text_add(l->words, l->size, words);
    l->begun = true;
}

bool type_describe_fields(Dwarf_Die *type, uint64_t offset, uint64_t bytes, uint64_t value,
                          char *words, size_t size) {
    listing l = {.words = words, .size = size, .offset = offset, .bytes = bytes, .value = value};
    words[0] = '\0';
    if (is_aggregate(type) && visit_fields(type, offset, bytes, describe_field, &l) != 0) {
        return true;
    }
    type_goal goal = {.size = bytes};
    return list_suiting(type, offset, &goal, &value, &l) > 1;
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
