#define _GNU_SOURCE
/* Looking for functions and variables by name (dlsym). What the program finds is what it would have
 * been linked with: its own, heddle's functions in place of libc's, or one that is harmless. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/memory/space.h"

static const char everything; /* its address is the only handle */

/* What every program is linked with, or can be, without becoming another one. */
static bool is_of_system(const char *file) {
    static const char *const names[] = {"libc.so", "libm.so", "libpthread.so", "libdl.so",
                                        "librt.so"};
    const char *slash = strrchr(file, '/');
    return text_starts_with_any(slash ? slash + 1 : file, names, sizeof names / sizeof *names);
}

void *heddle_dlopen(const char *file, int flags) {
    (void)flags;
    if (file) {
        reads(file, strlen(file) + 1, HERE);
        if (!is_of_system(file)) {
            heddle_unsupported("dlopen of a library", HERE);
        }
    }
    return (void *)&everything;
}

static const void *object_of(const void *address) {
    Dl_info found;
    return address && dladdr(address, &found) ? found.dli_fbase : NULL;
}

/* What the program itself defines. */
static void *find_own(const char *name) {
    CHECK(space.program && space.image_size); /* only the program asks */
    void *found = dlsym(space.program, name);
    return (uintptr_t)found - space.image_low < space.image_size ? found : NULL;
}

static void *find_in_system(const char *name, const void *here) {
    CHECK(!symbols_address(name)); /* what heddle replaces is not for the program */
    void *found = dlsym(RTLD_DEFAULT, name);
    if (!found || object_of(found) == object_of(&everything)) {
        return NULL;
    }
    if (symbols_class(name) != SYMBOL_HARMLESS) {
        char message[256];
        snprintf(message, sizeof message, "dlsym of %.200s", name);
        heddle_unsupported(message, here);
    }
    return found;
}

void *heddle_dynamic_symbol(void *handle, const char *name, const void *here) {
    reads(name, strlen(name) + 1, here);
    void *found = handle == RTLD_NEXT ? NULL : find_own(name);
    found = found ? found : symbols_address(name);
    return found ? found : find_in_system(name, here);
}
