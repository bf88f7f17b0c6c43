#define _GNU_SOURCE
#include "native/libraries.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>

#include "native/objects.h"

/* Libraries of the compiler and of libc: heddle knows what they do. */
static bool is_known(const char *library) {
    static const char *const names[] = {
        "libc.so",      "libm.so",  "libgcc_s.so",   "libdl.so",    "librt.so",
        "libatomic.so", "ld-linux", "libpthread.so", "linux-vdso.", NULL};
    for (const char *const *name = names; *name; name++) {
        if (strncmp(library, *name, strlen(*name)) == 0) {
            return true;
        }
    }
    return false;
}

static const char *thread_function(const object_symbols *symbols) {
    static const char *const prefixes[] = {
        "pthread_create", "pthread_mutex_", "pthread_cond_",   "pthread_rwlock",
        "pthread_spin_",  "sem_",           "thrd_",           "mtx_",
        "cnd_",           "fork",           "pthread_barrier", NULL};
    for (uint32_t i = 0; i < symbols->items.count; i++) {
        const object_symbol *s = &symbols->items.items[i];
        for (const char *const *prefix = prefixes; *prefix && !s->defined; prefix++) {
            if (strncmp(s->name, *prefix, strlen(*prefix)) == 0) {
                return s->name;
            }
        }
    }
    return NULL;
}

static const char *file_of(const char *library) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_NOLOAD);
    struct link_map *map = NULL;
    const char *file = handle && dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 ? map->l_name : NULL;
    if (handle) {
        dlclose(handle); /* the program still holds it */
    }
    return file;
}

void libraries_with_threads(void *handle,
                            void (*found)(void *context, const char *library, const char *function),
                            void *context) {
    struct link_map *map;
    if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) {
        return;
    }
    const char *strings = NULL;
    for (const ElfW(Dyn) *d = map->l_ld; d->d_tag != DT_NULL; d++) {
        strings = d->d_tag == DT_STRTAB ? (const char *)d->d_un.d_ptr : strings;
    }
    for (const ElfW(Dyn) *d = map->l_ld; d->d_tag != DT_NULL && strings; d++) {
        const char *library = d->d_tag == DT_NEEDED ? strings + d->d_un.d_val : NULL;
        const char *file = library && !is_known(library) ? file_of(library) : NULL;
        object_symbols symbols = {0};
        const char *function =
            file && objects_read_dynamic(&symbols, file) ? thread_function(&symbols) : NULL;
        if (function) {
            found(context, library, function);
        }
        objects_free(&symbols);
    }
}
