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
static bool hide_in(void *context, int file, Elf *elf) {
    (void)context;
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
    return objects_open(path, O_RDWR, hide_in, NULL);
}

static bool find_in(void *context, int file, Elf *elf) {
    const uintptr_t *base = context;
    GElf_Shdr header;
    (void)file;
    if (objects_section(elf, ".init_array", &header)) {
        exit_set_constructors(*base + header.sh_addr, header.sh_size);
    }
    if (objects_section(elf, ".fini_array", &header)) {
        exit_set_destructors(*base + header.sh_addr, header.sh_size);
    }
    return true;
}

/* Of crtbegin.o. */
static void ignore(void *base, uintptr_t entry, uintptr_t size) {
    (void)size;
    exit_ignore_destructor(entry + *(const uintptr_t *)base);
}

void constructors_find(const char *path, uintptr_t base) {
    objects_visit_symbols(path, "__do_global_dtors_aux_fini_array_entry", ignore, &base);
    objects_open(path, O_RDONLY, find_in, &base);
}
