/* What a program asks of the world: fixed answers, the same in every execution. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/memory/heap.h"

int heddle_sched_yield(void) {
    return 0;
}

/* ---- paths, into memory of the program's heap where libc would allocate ---- */

static char *give_path(const char *path, char *place, size_t size, const void *here) {
    size_t length = strlen(path) + 1;
    if (size && size < length) {
        errno = ERANGE;
        return NULL;
    }
    if (!place) {
        place = heap_allocate(size ? size : length, here);
    }
    if (place) {
        access_plain(place, length, ACCESS_WRITE, here);
        memcpy(place, path, length);
    }
    return place;
}

char *heddle_realpath(const char *path, char *resolved) {
    char text[PATH_MAX];
    if (path) {
        reads_string(path, __builtin_return_address(0));
    }
    return realpath(path, text) ? give_path(text, resolved, 0, __builtin_return_address(0)) : NULL;
}

char *heddle_getcwd(char *place, size_t size) {
    char text[PATH_MAX];
    return getcwd(text, sizeof text) ? give_path(text, place, size, __builtin_return_address(0))
                                     : NULL;
}
