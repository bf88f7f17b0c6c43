#include "native/objects.h"

#include <ar.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>
#include <unistd.h>

static uint32_t hash(const char *name) {
    uint32_t h = 2166136261u;
    for (; *name; name++) {
        h = (h ^ (unsigned char)*name) * 16777619u;
    }
    return h;
}

static void place(object_symbols *s, uint32_t index) {
    uint32_t mask = s->slots.count - 1;
    uint32_t slot = hash(s->items.items[index].name) & mask;
    while (s->slots.items[slot]) {
        slot = (slot + 1) & mask;
    }
    s->slots.items[slot] = index + 1;
}

static void grow(object_symbols *s) {
    uint32_t size = s->slots.count ? s->slots.count * 2 : 256;
    vector_resize(&s->slots, size);
    memset(s->slots.items, 0, size * sizeof *s->slots.items);
    for (uint32_t i = 0; i < s->items.count; i++) {
        place(s, i);
    }
}

static object_symbol *find_or_add(object_symbols *s, const char *name) {
    if ((s->items.count + 1) * 2 > s->slots.count) {
        grow(s);
    }
    uint32_t mask = s->slots.count - 1;
    for (uint32_t slot = hash(name) & mask; s->slots.items[slot]; slot = (slot + 1) & mask) {
        object_symbol *found = &s->items.items[s->slots.items[slot] - 1];
        if (strcmp(found->name, name) == 0) {
            return found;
        }
    }
    size_t size = strlen(name) + 1;
    object_symbol fresh = {.name = memcpy(memory_resize(NULL, 0, size), name, size)};
    vector_push(&s->items, fresh);
    place(s, s->items.count - 1);
    return &s->items.items[s->items.count - 1];
}

static bool wanted(const GElf_Sym *symbol, bool data) {
    unsigned char type = GELF_ST_TYPE(symbol->st_info);
    return data ? type == STT_OBJECT || type == STT_COMMON
                : GELF_ST_BIND(symbol->st_info) != STB_LOCAL;
}

static void read_table(object_symbols *s, Elf *elf, Elf_Scn *section, const GElf_Shdr *header,
                       bool data_only) {
    Elf_Data *data = elf_getdata(section, NULL);
    size_t count = header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
    for (size_t i = 0; data && i < count; i++) {
        GElf_Sym symbol;
        if (!gelf_getsym(data, (int)i, &symbol) || !wanted(&symbol, data_only)) {
            continue;
        }
        const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
        if (name && *name) {
            object_symbol *known = find_or_add(s, name);
            known->defined = known->defined || symbol.st_shndx != SHN_UNDEF;
        }
    }
}

static void read_object(object_symbols *s, Elf *elf, uint32_t table, bool data_only) {
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(elf, section))) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) && header.sh_type == table) {
            read_table(s, elf, section, &header, data_only);
        }
    }
}

/* Its section headers can be read: it is not cut off. */
static bool is_whole(Elf *elf) {
    size_t count, names;
    return elf_getshdrnum(elf, &count) == 0 && elf_getshdrstrndx(elf, &names) == 0 && count > 0 &&
           elf_getscn(elf, names) != NULL;
}

/* Calls `visit` for the object, or for every member of the archive. */
static bool each_object(const char *path, void (*visit)(void *, Elf *), void *context) {
    elf_version(EV_CURRENT);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    Elf *elf = file < 0 ? NULL : elf_begin(file, ELF_C_READ, NULL);
    bool readable = elf && (elf_kind(elf) == ELF_K_ELF || elf_kind(elf) == ELF_K_AR);
    if (readable && elf_kind(elf) == ELF_K_ELF) {
        readable = is_whole(elf);
        if (readable) {
            visit(context, elf);
        }
    } else if (readable) {
        Elf_Cmd more = ELF_C_READ;
        uint32_t members = 0;
        for (Elf *member; (member = elf_begin(file, more, elf)); members++) {
            if (elf_kind(member) == ELF_K_ELF && is_whole(member)) {
                visit(context, member);
            }
            more = elf_next(member);
            elf_end(member);
        }
        readable = members > 0 || lseek(file, 0, SEEK_END) <= SARMAG;
    }
    elf_end(elf);
    if (file >= 0) {
        close(file);
    }
    return readable;
}

static void read_symbols(void *symbols, Elf *elf) {
    read_object(symbols, elf, SHT_SYMTAB, false);
}

static void read_dynamic(void *symbols, Elf *elf) {
    read_object(symbols, elf, SHT_DYNSYM, false);
}

static void read_data(void *symbols, Elf *elf) {
    read_object(symbols, elf, SHT_SYMTAB, true);
}

bool objects_read(object_symbols *s, const char *path) {
    return each_object(path, read_symbols, s);
}

bool objects_read_dynamic(object_symbols *s, const char *path) {
    return each_object(path, read_dynamic, s);
}

bool objects_read_data(object_symbols *s, const char *path) {
    return each_object(path, read_data, s);
}

/* ---- sections ---- */

typedef struct visiting {
    const char *section;
    void (*visit)(void *, const object_part *);
    void *context;
} visiting;

static void visit_object(void *context, Elf *elf) {
    const visiting *v = context;
    Elf_Arhdr *archived = elf_getarhdr(elf);
    object_part part = {.member = archived && archived->ar_name ? archived->ar_name : ""};
    size_t names;
    Elf_Scn *section = NULL;
    while (elf_getshdrstrndx(elf, &names) == 0 && (section = elf_nextscn(elf, section))) {
        GElf_Shdr header;
        const char *name =
            gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
        if (!name) {
            continue;
        }
        part.has_code = part.has_code || ((header.sh_flags & SHF_EXECINSTR) && header.sh_size != 0);
        Elf_Data *data = strcmp(name, v->section) == 0 ? elf_getdata(section, NULL) : NULL;
        if (data && data->d_buf) {
            part.section = data->d_buf;
            part.section_size = data->d_size;
        }
    }
    v->visit(v->context, &part);
}

bool objects_visit(const char *path, const char *section,
                   void (*visit)(void *, const object_part *), void *context) {
    visiting v = {section, visit, context};
    return each_object(path, visit_object, &v);
}

void objects_free(object_symbols *s) {
    for (uint32_t i = 0; i < s->items.count; i++) {
        memory_resize(s->items.items[i].name, strlen(s->items.items[i].name) + 1, 0);
    }
    vector_free(&s->items);
    vector_free(&s->slots);
}
