/* Where an object names a function: its relocations tell the address, its debug information the
 * line. */
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "native/objects.h"

enum { PATH_SIZE = 4096 };

static const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = dwfl_standard_find_debuginfo,
    .section_address = dwfl_offline_section_address,
};

typedef struct search {
    Dwfl_Module *module;
    Elf *elf;
    const char *name;
    char *place;
    size_t size;
} search;

static bool names(const search *s, const GElf_Shdr *header, uint64_t symbol_index) {
    GElf_Shdr table_header;
    GElf_Sym symbol;
    Elf_Scn *table = elf_getscn(s->elf, header->sh_link);
    Elf_Data *data = table ? elf_getdata(table, NULL) : NULL;
    if (!data || !gelf_getshdr(table, &table_header) ||
        !gelf_getsym(data, (int)symbol_index, &symbol)) {
        return false;
    }
    const char *name = elf_strptr(s->elf, table_header.sh_link, symbol.st_name);
    return name && strcmp(name, s->name) == 0;
}

/* As seen from here. */
static const char *shorten(const char *file) {
    char here[PATH_SIZE];
    size_t length = getcwd(here, sizeof here) ? strlen(here) : 0;
    bool below = length && strncmp(file, here, length) == 0 && file[length] == '/';
    return below ? file + length + 1 : file;
}

static bool tell_line(const search *s, GElf_Addr address) {
    int line;
    Dwfl_Line *found = dwfl_module_getsrc(s->module, address);
    const char *file = found ? dwfl_lineinfo(found, NULL, &line, NULL, NULL, NULL) : NULL;
    if (file) {
        snprintf(s->place, s->size, "%s:%d", shorten(file), line);
    }
    return file != NULL;
}

static bool search_section(const search *s, Elf_Scn *section, const GElf_Shdr *header) {
    GElf_Shdr target;
    Elf_Data *data = elf_getdata(section, NULL);
    if (!data || !gelf_getshdr(elf_getscn(s->elf, header->sh_info), &target) ||
        !(target.sh_flags & SHF_EXECINSTR)) {
        return false;
    }
    for (int i = 0; (size_t)i < header->sh_size / header->sh_entsize; i++) {
        GElf_Rela relocation;
        if (gelf_getrela(data, i, &relocation) && names(s, header, GELF_R_SYM(relocation.r_info)) &&
            tell_line(s, target.sh_addr + relocation.r_offset)) {
            return true;
        }
    }
    return false;
}

bool objects_place_of(const char *path, const char *name, char *place, size_t size) {
    Dwfl *dwfl = dwfl_begin(&callbacks);
    search s = {.name = name, .place = place, .size = size};
    bool found = false;
    GElf_Addr bias;
    s.module = dwfl ? dwfl_report_offline(dwfl, "object", path, -1) : NULL;
    if (s.module) {
        dwfl_report_end(dwfl, NULL, NULL);
        dwfl_module_getdwarf(s.module, &bias); /* places the sections */
        s.elf = dwfl_module_getelf(s.module, &bias);
    }
    Elf_Scn *section = NULL;
    while (s.elf && !found && (section = elf_nextscn(s.elf, section))) {
        GElf_Shdr header;
        found = gelf_getshdr(section, &header) && header.sh_type == SHT_RELA && header.sh_entsize &&
                search_section(&s, section, &header);
    }
    if (dwfl) {
        dwfl_end(dwfl);
    }
    return found;
}
