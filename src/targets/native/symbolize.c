#include "targets/native/symbolize.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/vector.h"

enum { MAX_NESTING = 16 };

typedef struct global_variable {
    uintptr_t address;
    uint64_t size;
    Dwarf_Die die;
} global_variable;

struct symbolizer {
    Dwfl *dwfl;
    Dwfl_Module *module;
    Dwarf_Addr bias;
    bool variables_read;
    VECTOR(global_variable) variables;
};

static const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = dwfl_standard_find_debuginfo,
    .section_address = dwfl_offline_section_address,
};

symbolizer *symbolizer_open(const char *path, uintptr_t base) {
    symbolizer *s = memory_resize(NULL, 0, sizeof *s);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    s->dwfl = dwfl_begin(&callbacks);
    if (file >= 0 && s->dwfl) {
        dwfl_report_begin(s->dwfl);
        s->module = dwfl_report_elf(s->dwfl, "program", path, file, base, false);
        dwfl_report_end(s->dwfl, NULL, NULL);
    }
    if (!s->module) {
        if (file >= 0) {
            close(file);
        }
        symbolizer_close(s);
        return NULL;
    }
    dwfl_module_getdwarf(s->module, &s->bias); /* read while the file is there */
    return s;
}

void symbolizer_close(symbolizer *s) {
    if (!s) {
        return;
    }
    vector_free(&s->variables);
    if (s->dwfl) {
        dwfl_end(s->dwfl);
    }
    memory_resize(s, sizeof *s, 0);
}

bool symbolizer_line(symbolizer *s, uintptr_t return_address, const char **file, uint32_t *line) {
    if (!s || !return_address) {
        return false;
    }
    Dwfl_Line *found = dwfl_module_getsrc(s->module, return_address - 1);
    int number = 0;
    const char *name = found ? dwfl_lineinfo(found, NULL, &number, NULL, NULL, NULL) : NULL;
    if (!name) {
        return false;
    }
    *file = name;
    *line = (uint32_t)number;
    return true;
}

uint32_t symbolizer_column(symbolizer *s, uintptr_t return_address) {
    Dwfl_Line *found =
        s && return_address ? dwfl_module_getsrc(s->module, return_address - 1) : NULL;
    int column = 0;
    return found && dwfl_lineinfo(found, NULL, NULL, &column, NULL, NULL) && column > 0
               ? (uint32_t)column
               : 0;
}

const char *symbolizer_function(symbolizer *s, uintptr_t address) {
    return s ? dwfl_module_addrname(s->module, address) : NULL;
}

uint32_t symbolizer_find_function(symbolizer *s, const char *name, uintptr_t *address) {
    uint32_t found = 0;
    int count = s ? dwfl_module_getsymtab(s->module) : 0;
    for (int i = 0; i < count; i++) {
        GElf_Sym symbol;
        GElf_Addr place;
        const char *known =
            dwfl_module_getsym_info(s->module, i, &symbol, &place, NULL, NULL, NULL);
        if (known && symbol.st_shndx != SHN_UNDEF && GELF_ST_TYPE(symbol.st_info) == STT_FUNC &&
            strcmp(known, name) == 0 && !(found && place == *address)) {
            *address = place;
            found++;
        }
    }
    return found;
}

/* ---- variables ---- */

/* The type of a variable, member or element, without qualifiers and names. */
static bool type_of(Dwarf_Die *die, Dwarf_Die *type) {
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

static uint64_t size_of(Dwarf_Die *type);

/* libdw does not know the size of arrays of _Atomic. */
static uint64_t array_size(Dwarf_Die *type) {
    Dwarf_Die element, range;
    if (dwarf_tag(type) != DW_TAG_array_type || !type_of(type, &element) ||
        dwarf_child(type, &range) != 0) {
        return 0;
    }
    uint64_t size = size_of(&element);
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

static uint64_t size_of(Dwarf_Die *type) {
    Dwarf_Word size;
    return dwarf_aggregate_size(type, &size) == 0 ? size : array_size(type);
}

/* Globals and statics, also those inside functions. */
static void read_variables(symbolizer *s, Dwarf_Die *parent, int depth) {
    Dwarf_Die die;
    if (depth > MAX_NESTING || dwarf_child(parent, &die) != 0) {
        return;
    }
    do {
        int tag = dwarf_tag(&die);
        if (tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block) {
            read_variables(s, &die, depth + 1);
        }
        Dwarf_Attribute attribute;
        Dwarf_Op *operations;
        size_t count;
        Dwarf_Die type;
        if (tag == DW_TAG_variable && dwarf_attr(&die, DW_AT_location, &attribute) &&
            dwarf_getlocation(&attribute, &operations, &count) == 0 && count == 1 &&
            operations[0].atom == DW_OP_addr) {
            global_variable v = {.address = operations[0].number + s->bias, .die = die};
            v.size = dwarf_diename(&die) && type_of(&die, &type) ? size_of(&type) : 0;
            if (v.size || dwarf_diename(&die)) {
                vector_push(&s->variables, v);
            }
        }
    } while (dwarf_siblingof(&die, &die) == 0);
}

static void read_all_variables(symbolizer *s) {
    Dwarf_Die *unit = NULL;
    Dwarf_Addr bias;
    s->variables_read = true;
    while ((unit = dwfl_module_nextcu(s->module, unit, &bias))) {
        s->bias = bias;
        read_variables(s, unit, 0);
    }
}

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
        if (dwarf_tag(&member) != DW_TAG_member || !type_of(&member, &inner)) {
            continue;
        }
        unsigned_attribute(&member, DW_AT_data_member_location, &start);
        if (*offset >= start && *offset < start + size_of(&inner)) {
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
    uint64_t element_size = type_of(type, &element) ? size_of(&element) : 0;
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

/* From the whole variable down to the part at `offset`. */
static void descend(Dwarf_Die *type, uint64_t offset, char *name, size_t size) {
    for (int depth = 0; depth < MAX_NESTING; depth++) {
        int tag = dwarf_tag(type);
        bool aggregate = tag == DW_TAG_structure_type || tag == DW_TAG_union_type;
        if (aggregate ? !enter_member(type, &offset, name, size)
                      : tag != DW_TAG_array_type || !enter_element(type, &offset, name, size)) {
            return;
        }
    }
}

/* What libc would have, such as optind (targets/runtime/libc/all.def). */
#define PROGRAM_PREFIX "heddle_program_"

bool symbolizer_variable(symbolizer *s, uintptr_t address, char *name, size_t size) {
    if (!s) {
        return false;
    }
    if (!s->variables_read) {
        read_all_variables(s);
    }
    for (uint32_t i = 0; i < s->variables.count; i++) {
        global_variable *v = &vector_at(&s->variables, i);
        Dwarf_Die type;
        if (address - v->address < (v->size ? v->size : 1)) {
            snprintf(name, size, "%s", dwarf_diename(&v->die));
            if (type_of(&v->die, &type)) {
                descend(&type, address - v->address, name, size);
            }
            return true;
        }
    }
    GElf_Off offset;
    GElf_Sym symbol;
    const char *found =
        dwfl_module_addrinfo(s->module, address, &offset, &symbol, NULL, NULL, NULL);
    if (found && strncmp(found, PROGRAM_PREFIX, strlen(PROGRAM_PREFIX)) == 0) {
        found += strlen(PROGRAM_PREFIX);
    }
    if (found && offset) {
        snprintf(name, size, "%s+%llu", found, (unsigned long long)offset);
    } else if (found) {
        snprintf(name, size, "%s", found);
    }
    return found != NULL;
}

/* The one before, if both are equally near: that is how arrays are left most often. */
static uintptr_t distance(const global_variable *v, uintptr_t address) {
    uintptr_t end = v->address + v->size;
    return address >= end ? (address - end) * 2 : (v->address - address) * 2 + 1;
}

bool symbolizer_nearest(symbolizer *s, uintptr_t address, char *name, size_t size, uintptr_t *start,
                        size_t *variable_size) {
    if (!s) {
        return false;
    }
    if (!s->variables_read) {
        read_all_variables(s);
    }
    global_variable *nearest = NULL;
    for (uint32_t i = 0; i < s->variables.count; i++) {
        global_variable *v = &vector_at(&s->variables, i);
        if (v->size && (!nearest || distance(v, address) < distance(nearest, address))) {
            nearest = v;
        }
    }
    if (nearest) {
        snprintf(name, size, "%s", dwarf_diename(&nearest->die));
        *start = nearest->address;
        *variable_size = nearest->size;
    }
    return nearest != NULL;
}
