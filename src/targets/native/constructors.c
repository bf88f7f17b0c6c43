#include "targets/native/constructors.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>
#include <unistd.h>

#include "targets/native/objects.h"
#include "targets/runtime/kernel/exit.h"

static bool is_size(int64_t tag) {
    return tag == DT_INIT_ARRAYSZ || tag == DT_FINI_ARRAYSZ;
}

/* Writes the sizes as 0, in place: no other byte of the file changes. */
static bool hide_in(int file, Elf *elf) {
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(elf, section))) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNAMIC) {
            continue;
        }
        for (size_t at = 0; at + sizeof(Elf64_Dyn) <= header.sh_size; at += sizeof(Elf64_Dyn)) {
            Elf64_Dyn entry;
            off_t place = (off_t)(header.sh_offset + at);
            if (pread(file, &entry, sizeof entry, place) != (ssize_t)sizeof entry) {
                return false;
            }
            if (is_size(entry.d_tag)) {
                entry.d_un.d_val = 0;
                if (pwrite(file, &entry, sizeof entry, place) != (ssize_t)sizeof entry) {
                    return false;
                }
            }
        }
        return true;
    }
    return false;
}

bool constructors_hide(const char *path) {
    elf_version(EV_CURRENT);
    int file = open(path, O_RDWR | O_CLOEXEC);
    Elf *elf = file < 0 ? NULL : elf_begin(file, ELF_C_READ, NULL);
    bool hidden = elf && hide_in(file, elf);
    elf_end(elf);
    return (file < 0 || close(file) == 0) && hidden;
}

static void find_in(Elf *elf, uintptr_t base) {
    GElf_Shdr header;
    if (objects_section(elf, ".init_array", &header)) {
        exit_set_constructors(base + header.sh_addr, header.sh_size);
    }
    if (objects_section(elf, ".fini_array", &header)) {
        exit_set_destructors(base + header.sh_addr, header.sh_size);
    }
}

/* Of crtbegin.o. */
static void ignore(void *base, uintptr_t entry, uintptr_t size) {
    (void)size;
    exit_ignore_destructor(entry + *(const uintptr_t *)base);
}

void constructors_find(const char *path, uintptr_t base) {
    objects_visit_symbols(path, "__do_global_dtors_aux_fini_array_entry", ignore, &base);
    elf_version(EV_CURRENT);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    Elf *elf = file < 0 ? NULL : elf_begin(file, ELF_C_READ, NULL);
    if (elf) {
        find_in(elf, base);
    }
    elf_end(elf);
    if (file >= 0) {
        close(file);
    }
}
