#include "targets/native/symbolize.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "base/text.h"
#include "base/vector.h"
#include "targets/native/types.h"

enum { MAX_NESTING = 16 };

/* A source that was named relative to another directory than heddle's. */
typedef struct found_source {
    const char *directory, *name; /* of the debug information */
    char *path;
} found_source;

typedef struct global_variable {
    uintptr_t address;
    uint64_t size;
    Dwarf_Die die;
} global_variable;

struct symbolizer {
    Dwfl *dwfl;
    Dwfl_Module *module;
    Dwarf_Addr bias;
    bool variables_read, files_read;
    VECTOR(global_variable) variables;
    VECTOR(global_variable) of_threads; /* at offsets in the block of each thread */
    VECTOR(const char *) files;         /* all sources and headers */
    VECTOR(found_source) found;
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
    vector_free(&s->of_threads);
    vector_free(&s->files);
    for (uint32_t i = 0; i < s->found.count; i++) {
        free(vector_at(&s->found, i).path);
    }
    vector_free(&s->found);
    if (s->dwfl) {
        dwfl_end(s->dwfl);
    }
    memory_resize(s, sizeof *s, 0);
}

Dwfl *symbolizer_modules(symbolizer *s) {
    return s->dwfl;
}

/* Where the source is, if its name is relative to the directory in which it was compiled, as those
 * of libraries are that were built elsewhere. */
static const char *source_path(symbolizer *s, const char *directory, const char *name) {
    char here[PATH_MAX];
    if (!name || *name == '/' || !directory || *directory != '/' ||
        (getcwd(here, sizeof here) && strcmp(here, directory) == 0)) {
        return name;
    }
    for (uint32_t i = 0; i < s->found.count; i++) {
        const found_source *f = &vector_at(&s->found, i);
        if (strcmp(f->name, name) == 0 && strcmp(f->directory, directory) == 0) {
            return f->path;
        }
    }
    text path = {0};
    text_format(&path, "%s/%s", directory, name);
    char *real = realpath(text_string(&path), NULL); /* without "build/../" */
    vector_push(&s->found,
                (found_source){directory, name, real ? real : strdup(text_string(&path))});
    text_free(&path);
    return vector_last(&s->found).path;
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
    *file = source_path(s, dwfl_line_comp_dir(found), name);
    *line = (uint32_t)number;
    return true;
}

static void read_files(symbolizer *s) {
    Dwarf_Die *unit = NULL;
    Dwarf_Addr bias;
    s->files_read = true;
    while ((unit = dwfl_module_nextcu(s->module, unit, &bias))) {
        Dwarf_Files *files;
        size_t count = 0;
        Dwarf_Attribute attribute;
        const char *directory = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
        if (dwarf_getsrcfiles(unit, &files, &count) != 0) {
            count = 0;
        }
        for (size_t i = 0; i < count; i++) {
            const char *name = source_path(s, directory, dwarf_filesrc(files, i, NULL, NULL));
            if (name) {
                vector_push(&s->files, name);
            }
        }
    }
}

bool symbolizer_place(symbolizer *s, uintptr_t return_address, char *place, size_t size) {
    const char *file;
    uint32_t line;
    if (!symbolizer_line(s, return_address, &file, &line)) {
        return false;
    }
    if (!s->files_read) {
        read_files(s);
    }
    const char *name = path_name(file);
    for (uint32_t i = 0; i < s->files.count; i++) {
        const char *other = vector_at(&s->files, i);
        const char *end = strcmp(other, file) != 0 ? path_end_unlike(file, other) : name;
        name = end < name ? end : name;
    }
    snprintf(place, size, "%s:%u", name, line);
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

uintptr_t symbolizer_function_end(symbolizer *s, uintptr_t address) {
    GElf_Off offset = 0;
    GElf_Sym symbol = {0};
    bool found = s && dwfl_module_addrinfo(s->module, address, &offset, &symbol, NULL, NULL, NULL);
    return found && symbol.st_size ? address - offset + symbol.st_size : 0;
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

static bool is_of_threads(const Dwarf_Op *operations, size_t count) {
    return count == 2 && (operations[1].atom == DW_OP_form_tls_address ||
                          operations[1].atom == DW_OP_GNU_push_tls_address);
}

static void read_variable(symbolizer *s, Dwarf_Die *die) {
    Dwarf_Attribute attribute;
    Dwarf_Op *operations;
    size_t count;
    Dwarf_Die type;
    if (!dwarf_attr(die, DW_AT_location, &attribute) ||
        dwarf_getlocation(&attribute, &operations, &count) != 0) {
        return;
    }
    bool of_threads = is_of_threads(operations, count);
    global_variable v = {.address = operations[0].number + (of_threads ? 0 : s->bias), .die = *die};
    v.size = dwarf_diename(die) && type_of_die(die, &type) ? type_size(&type) : 0;
    if (of_threads && v.size) {
        vector_push(&s->of_threads, v);
    } else if (count == 1 && operations[0].atom == DW_OP_addr && (v.size || dwarf_diename(die))) {
        vector_push(&s->variables, v);
    }
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
        if (tag == DW_TAG_variable) {
            read_variable(s, &die);
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

/* What libc would have, such as optind (targets/runtime/libc/all.def). */
#define PROGRAM_PREFIX "heddle_program_"

/* The global or static variable at this address, or NULL. */
static global_variable *variable_at(symbolizer *s, uintptr_t address) {
    if (!s->variables_read) {
        read_all_variables(s);
    }
    for (uint32_t i = 0; i < s->variables.count; i++) {
        global_variable *v = &vector_at(&s->variables, i);
        if (address - v->address < (v->size ? v->size : 1)) {
            return v;
        }
    }
    return NULL;
}

bool symbolizer_variable(symbolizer *s, uintptr_t address, const type_goal *goal, char *name,
                         size_t size) {
    if (!s) {
        return false;
    }
    Dwarf_Die type;
    global_variable *v = variable_at(s, address);
    if (v) {
        snprintf(name, size, "%s", dwarf_diename(&v->die));
        if (type_of_die(&v->die, &type)) {
            type_descend(&type, address - v->address, goal, name, size);
        }
        return true;
    }
    GElf_Off offset;
    GElf_Sym symbol;
    const char *found =
        dwfl_module_addrinfo(s->module, address, &offset, &symbol, NULL, NULL, NULL);
    if (found && text_starts(found, PROGRAM_PREFIX)) {
        found += strlen(PROGRAM_PREFIX);
    }
    if (found && offset) {
        snprintf(name, size, "%s+%llu", found, (unsigned long long)offset);
    } else if (found) {
        snprintf(name, size, "%s", found);
    }
    return found != NULL;
}

bool symbolizer_thread_local(symbolizer *s, uintptr_t offset, uintptr_t *start, uint64_t *size,
                             Dwarf_Die *die) {
    if (s && !s->variables_read) {
        read_all_variables(s);
    }
    for (uint32_t i = 0; s && i < s->of_threads.count; i++) {
        const global_variable *v = &vector_at(&s->of_threads, i);
        if (offset - v->address < v->size) {
            *start = v->address;
            *size = v->size;
            *die = v->die;
            return true;
        }
    }
    return false;
}

bool symbolizer_part(symbolizer *s, uintptr_t address, const type_goal *goal, Dwarf_Die *type,
                     uint64_t *inside) {
    char name[16] = "";
    global_variable *v = s ? variable_at(s, address) : NULL;
    bool found = v && type_of_die(&v->die, type);
    *inside = found ? type_descend(type, address - v->address, goal, name, sizeof name) : 0;
    return found;
}

bool symbolizer_unit(symbolizer *s, Dwarf_Addr *code, Dwarf_Die *unit) {
    Dwarf_Addr bias;
    Dwarf_Die *found = s ? dwfl_module_addrdie(s->module, *code, &bias) : NULL;
    if (found) {
        *unit = *found;
        *code -= bias;
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
