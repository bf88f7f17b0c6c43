#include "targets/native/objects.h"

#include <ar.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/text.h"

typedef struct wanted_symbol {
    const object_symbols *symbols;
    const char *name;
} wanted_symbol;

static uint32_t hash(const char *name) {
    return hash_index_fold(bytes_checksum(name, strlen(name)));
}

static bool is_wanted(const void *context, uint32_t index) {
    const wanted_symbol *wanted = context;
    return strcmp(vector_at(&wanted->symbols->items, index).name, wanted->name) == 0;
}

object_symbol *objects_find(const object_symbols *s, const char *name) {
    wanted_symbol wanted = {s, name};
    uint32_t index = hash_index_find(&s->indices, hash(name), is_wanted, &wanted);
    return index == HASH_INDEX_NONE ? NULL : &vector_at(&s->items, index);
}

static object_symbol *find_or_add(object_symbols *s, const char *name) {
    object_symbol *found = objects_find(s, name);
    if (found) {
        return found;
    }
    size_t size = strlen(name) + 1;
    hash_index_add(&s->indices, hash(name), s->items.count);
    vector_push(&s->items,
                (object_symbol){.name = memcpy(memory_resize(NULL, 0, size), name, size)});
    return &vector_last(&s->items);
}

typedef struct symbol_table {
    Elf *elf;
    Elf_Data *data;
    size_t count, strings;
} symbol_table;

static bool open_table(Elf *elf, Elf_Scn *section, symbol_table *t) {
    GElf_Shdr header;
    if (!section || !gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB) {
        return false;
    }
    *t = (symbol_table){elf, elf_getdata(section, NULL),
                        header.sh_entsize ? header.sh_size / header.sh_entsize : 0, header.sh_link};
    return t->data != NULL;
}

static const char *symbol_name(const symbol_table *t, size_t index, GElf_Sym *symbol) {
    return gelf_getsym(t->data, (int)index, symbol)
               ? elf_strptr(t->elf, t->strings, symbol->st_name)
               : NULL;
}

/* The name of a symbol that is not local, or NULL. */
static const char *global_name(const symbol_table *t, size_t index, GElf_Sym *symbol) {
    const char *name = symbol_name(t, index, symbol);
    return name && *name && GELF_ST_BIND(symbol->st_info) != STB_LOCAL ? name : NULL;
}

static void read_table(object_symbols *s, const symbol_table *t) {
    for (size_t i = 0; i < t->count; i++) {
        GElf_Sym symbol;
        const char *name = global_name(t, i, &symbol);
        if (name) {
            object_symbol *known = find_or_add(s, name);
            known->defined = known->defined || symbol.st_shndx != SHN_UNDEF;
            known->wanted = known->wanted || symbol.st_shndx == SHN_UNDEF;
            known->needed = known->needed || (symbol.st_shndx == SHN_UNDEF &&
                                              GELF_ST_BIND(symbol.st_info) != STB_WEAK);
        }
    }
}

static bool is_call(uint64_t relocation) {
#ifdef __x86_64__
    return GELF_R_TYPE(relocation) == R_X86_64_PLT32;
#else
    return GELF_R_TYPE(relocation) == R_AARCH64_CALL26 ||
           GELF_R_TYPE(relocation) == R_AARCH64_JUMP26;
#endif
}

static void read_calls(object_symbols *s, Elf *elf, Elf_Scn *section, const GElf_Shdr *header) {
    symbol_table t;
    Elf_Data *data = elf_getdata(section, NULL);
    if (!data || !header->sh_entsize || !open_table(elf, elf_getscn(elf, header->sh_link), &t)) {
        return;
    }
    for (size_t i = 0; i < header->sh_size / header->sh_entsize; i++) {
        GElf_Rela relocation;
        GElf_Sym symbol;
        if (gelf_getrela(data, (int)i, &relocation) && is_call(relocation.r_info)) {
            const char *name = global_name(&t, GELF_R_SYM(relocation.r_info), &symbol);
            if (name) {
                find_or_add(s, name)->called = true;
            }
        }
    }
}

/* Its section headers can be read: it is not cut off. */
static bool is_whole(Elf *elf) {
    size_t count, names;
    return elf_getshdrnum(elf, &count) == 0 && elf_getshdrstrndx(elf, &names) == 0 && count > 0 &&
           elf_getscn(elf, names) != NULL;
}

bool objects_open(const char *path, int flags, bool (*visit)(void *, int, Elf *), void *context) {
    elf_version(EV_CURRENT);
    int file = open(path, flags | O_CLOEXEC);
    Elf *elf = file < 0 ? NULL : elf_begin(file, ELF_C_READ, NULL);
    bool good = elf && visit(context, file, elf);
    elf_end(elf);
    return (file < 0 || close(file) == 0) && good;
}

typedef struct each {
    void (*visit)(void *, Elf *);
    void *context;
} each;

static bool visit_members(const each *e, int file, Elf *archive) {
    Elf_Cmd more = ELF_C_READ;
    uint32_t members = 0;
    for (Elf *member; (member = elf_begin(file, more, archive)); members++) {
        if (elf_kind(member) == ELF_K_ELF && is_whole(member)) {
            e->visit(e->context, member);
        }
        more = elf_next(member);
        elf_end(member);
    }
    return members > 0 || lseek(file, 0, SEEK_END) <= SARMAG;
}

static bool visit_each(void *context, int file, Elf *elf) {
    const each *e = context;
    if (elf_kind(elf) == ELF_K_AR) {
        return visit_members(e, file, elf);
    }
    if (elf_kind(elf) != ELF_K_ELF || !is_whole(elf)) {
        return false;
    }
    e->visit(e->context, elf);
    return true;
}

/* Calls `visit` for the object, or for every member of the archive. */
static bool each_object(const char *path, void (*visit)(void *, Elf *), void *context) {
    each e = {visit, context};
    return objects_open(path, O_RDONLY, visit_each, &e);
}

static void read_object(void *symbols, Elf *elf) {
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(elf, section))) {
        GElf_Shdr header;
        symbol_table t;
        if (open_table(elf, section, &t)) {
            read_table(symbols, &t);
        } else if (gelf_getshdr(section, &header) && header.sh_type == SHT_RELA) {
            read_calls(symbols, elf, section, &header);
        }
    }
}

bool objects_read(object_symbols *s, const char *path) {
    return each_object(path, read_object, s);
}

/* ---- objects that somebody else compiled ---- */

typedef struct visiting {
    const char *section;
    void (*visit)(void *, const foreign_symbol *);
    void *context;
} visiting;

static uint64_t flags_of(Elf *elf, size_t section) {
    GElf_Shdr header;
    Elf_Scn *found = section < SHN_LORESERVE ? elf_getscn(elf, section) : NULL;
    return found && gelf_getshdr(found, &header) ? header.sh_flags : 0;
}

static Elf_Scn *find_section(Elf *elf, const char *wanted, GElf_Shdr *header) {
    size_t names;
    Elf_Scn *section = NULL;
    while (elf_getshdrstrndx(elf, &names) == 0 && (section = elf_nextscn(elf, section))) {
        const char *name =
            gelf_getshdr(section, header) ? elf_strptr(elf, names, header->sh_name) : NULL;
        if (name && strcmp(name, wanted) == 0) {
            return section;
        }
    }
    return NULL;
}

bool objects_section(Elf *elf, const char *wanted, GElf_Shdr *header) {
    return find_section(elf, wanted, header) != NULL;
}

static void read_names(object_symbols *names, const char *bytes, size_t size) {
    const char *end = bytes + size;
    while (bytes < end && memchr(bytes, 0, (size_t)(end - bytes))) {
        find_or_add(names, bytes);
        bytes += strlen(bytes) + 1;
    }
}

static bool names_all_functions(Elf *elf, const object_symbols *names) {
    Elf_Scn *section = NULL;
    bool all = true;
    while (all && (section = elf_nextscn(elf, section))) {
        symbol_table t;
        bool found = open_table(elf, section, &t);
        for (size_t i = 0; found && all && i < t.count; i++) {
            GElf_Sym symbol;
            const char *name = global_name(&t, i, &symbol);
            all = !name || !(flags_of(elf, symbol.st_shndx) & SHF_EXECINSTR) ||
                  objects_find(names, name);
        }
    }
    return all;
}

/* It has the section, with the names of its functions for others. */
static bool is_compiled(Elf *elf, const char *wanted) {
    GElf_Shdr header;
    object_symbols names = {0};
    Elf_Scn *section = find_section(elf, wanted, &header);
    Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
    if (data && data->d_buf) {
        read_names(&names, data->d_buf, data->d_size);
    }
    bool all = data && names_all_functions(elf, &names);
    objects_free(&names);
    return all;
}

/* Whether a relocation of this section makes data point to code. */
static bool points_to_code(Elf *elf, Elf_Scn *section, const GElf_Shdr *header) {
    symbol_table t;
    Elf_Data *data = elf_getdata(section, NULL);
    uint64_t flags = flags_of(elf, header->sh_info);
    if (!data || !header->sh_entsize || !(flags & SHF_WRITE) || (flags & SHF_EXECINSTR) ||
        !open_table(elf, elf_getscn(elf, header->sh_link), &t)) {
        return false;
    }
    for (size_t i = 0; i < header->sh_size / header->sh_entsize; i++) {
        GElf_Rela relocation;
        GElf_Sym symbol;
        if (gelf_getrela(data, (int)i, &relocation) &&
            gelf_getsym(t.data, (int)GELF_R_SYM(relocation.r_info), &symbol) &&
            (symbol.st_shndx == SHN_UNDEF ||
             (flags_of(elf, symbol.st_shndx) & SHF_EXECINSTR) != 0)) {
            return true;
        }
    }
    return false;
}

static bool leads_to_code(Elf *elf) {
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(elf, section))) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) && header.sh_type == SHT_RELA &&
            points_to_code(elf, section, &header)) {
            return true;
        }
    }
    return false;
}

static void visit_foreign(void *context, Elf *elf) {
    const visiting *v = context;
    if (is_compiled(elf, v->section)) {
        return;
    }
    Elf_Arhdr *archived = elf_getarhdr(elf);
    foreign_symbol found = {.member = archived && archived->ar_name ? archived->ar_name : ""};
    bool leads = leads_to_code(elf);
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(elf, section))) {
        symbol_table t;
        if (!open_table(elf, section, &t)) {
            continue;
        }
        for (size_t i = 0; i < t.count; i++) {
            GElf_Sym symbol;
            found.name = global_name(&t, i, &symbol);
            if (found.name && symbol.st_shndx != SHN_UNDEF) {
                found.function = (flags_of(elf, symbol.st_shndx) & SHF_EXECINSTR) != 0;
                found.leads_to_code = leads && !found.function;
                v->visit(v->context, &found);
            }
        }
    }
}

bool objects_visit_foreign(const char *path, const char *section,
                           void (*visit)(void *, const foreign_symbol *), void *context) {
    visiting v = {section, visit, context};
    return each_object(path, visit_foreign, &v);
}

void objects_free(object_symbols *s) {
    for (uint32_t i = 0; i < s->items.count; i++) {
        memory_resize(vector_at(&s->items, i).name, strlen(vector_at(&s->items, i).name) + 1, 0);
    }
    vector_free(&s->items);
    hash_index_free(&s->indices);
}

/* ---- variables by name ---- */

typedef struct symbol_visiting {
    const char *prefix;
    void (*visit)(void *, uintptr_t, uintptr_t);
    void *context;
} symbol_visiting;

static void visit_symbols(void *context, Elf *elf) {
    const symbol_visiting *v = context;
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(elf, section))) {
        symbol_table t;
        for (size_t i = 0, count = open_table(elf, section, &t) ? t.count : 0; i < count; i++) {
            GElf_Sym symbol;
            const char *name = symbol_name(&t, i, &symbol);
            if (name && GELF_ST_TYPE(symbol.st_info) == STT_OBJECT &&
                text_starts(name, v->prefix)) {
                v->visit(v->context, symbol.st_value, symbol.st_size);
            }
        }
    }
}

bool objects_visit_symbols(const char *path, const char *prefix,
                           void (*visit)(void *, uintptr_t, uintptr_t), void *context) {
    symbol_visiting v = {prefix, visit, context};
    return each_object(path, visit_symbols, &v);
}
