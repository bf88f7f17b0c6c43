#define _GNU_SOURCE
#include "targets/native/image.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/witness.h"
#include "targets/native/hole.h"
#include "targets/native/native.h"
#include "targets/native/sites.h"
#include "targets/runtime/memory/space.h"

static uintptr_t page_down(uintptr_t address) {
    return address & ~(uintptr_t)4095;
}

/* Memory above `zeroes` was zero when it was mapped. */
static void add_part(uintptr_t low, uintptr_t high, uintptr_t zeroes) {
    if (low < high) {
        space_add_segment(low, high - low, zeroes > low ? zeroes - low : 0);
    }
}

/* What the loader makes read-only after relocation is no state of the program. */
static void add_writable(const image *i, const struct dl_phdr_info *info,
                         const ElfW(Phdr) * segment) {
    uintptr_t low = info->dlpi_addr + segment->p_vaddr;
    uintptr_t high = low + segment->p_memsz, zeroes = low + segment->p_filesz;
    for (int k = 0; k < info->dlpi_phnum; k++) {
        const ElfW(Phdr) *other = &info->dlpi_phdr[k];
        if (other->p_type == PT_GNU_RELRO) {
            uintptr_t start = page_down(info->dlpi_addr + other->p_vaddr);
            uintptr_t end = page_down(info->dlpi_addr + other->p_vaddr + other->p_memsz);
            if (start <= low && end > low) {
                low = end < high ? end : high;
            }
        }
    }
    /* Records of what was reached are never restored. */
    uintptr_t start = (uintptr_t)i->sites, end = (uintptr_t)i->sites_end;
    if (start < end && start >= low && end <= high) {
        add_part(low, start, zeroes);
        low = end;
    }
    add_part(low, high, zeroes);
}

/* Any segment; they come in order. */
static void add_loaded(uintptr_t low, size_t size) {
    if (!space.image_low) {
        space.image_low = low;
    }
    space.image_size = low + size - space.image_low;
}

static int visit(struct dl_phdr_info *info, size_t size, void *wanted) {
    (void)size;
    const image *loaded = wanted;
    if (info->dlpi_addr != loaded->base) {
        return 0;
    }
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t low = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_LOAD) {
            add_loaded(low, segment->p_memsz);
        }
        if (segment->p_type == PT_GNU_STACK && (segment->p_flags & PF_X)) {
            space.stacks_hold_code = true;
        }
        if (segment->p_type == PT_LOAD && (segment->p_flags & PF_W)) {
            add_writable(loaded, info, segment);
        } else if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X)) {
            space.text_low = low;
            space.text_size = segment->p_memsz;
        } else if (segment->p_type == PT_TLS) {
            space.tls_image = (const void *)low;
            space.tls_image_size = segment->p_filesz;
            space.tls_size = segment->p_memsz;
            space.tls_align = segment->p_align;
        }
    }
    return 1;
}

bool image_load(image *i, const char *path, char *message) {
    hole_list holes = {0};
    holes_fill(&holes);
    status_enter(PHASE_CONSTRUCTING);
    *i = (image){.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL)};
    status_enter(PHASE_LOADING);
    holes_empty(&holes);
    if (!i->handle) {
        snprintf(message, NATIVE_MESSAGE_SIZE, "cannot load the program: %s", dlerror());
        return false;
    }
    struct link_map *map;
    void *entry = dlsym(i->handle, "main");
    if (dlinfo(i->handle, RTLD_DI_LINKMAP, &map) != 0) {
        snprintf(message, NATIVE_MESSAGE_SIZE, "the program cannot be found after loading: %s",
                 dlerror());
        image_unload(i);
        return false;
    }
    memcpy(&i->main, &entry, sizeof entry);
    struct site *const *bounds = dlsym(i->handle, SITES_BOUNDS);
    if (bounds) {
        i->sites = bounds[0];
        i->sites_end = bounds[1];
    }
    i->environment = dlsym(i->handle, "heddle_program_environ");
    if (i->environment) {
        *i->environment = environ;
    }
    i->stream_locks = dlsym(i->handle, "heddle_program_stream_locks");
    i->base = map->l_addr;
    space.program = i->handle;
    dl_iterate_phdr(visit, i);
    return true;
}

void image_unload(image *i) {
    if (i->handle) {
        dlclose(i->handle);
        i->handle = NULL;
    }
}
