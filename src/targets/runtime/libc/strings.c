#define _GNU_SOURCE
/* Functions on strings that do more than touch ranges: they allocate, or take several steps. */
#include <string.h>

#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/memory/heap.h"

char *heddle_strdup(const char *a) {
    size_t size = strlen(a) + 1;
    char *copy = heap_allocate(size, HERE);
    reads(a, size, HERE);
    undo_write((uintptr_t)copy, copy ? size : 0);
    return copy ? memcpy(copy, a, size) : NULL;
}

char *heddle_strndup(const char *a, size_t limit) {
    size_t length = strnlen(a, limit);
    char *copy = heap_allocate(length + 1, HERE);
    reads(a, length < limit ? length + 1 : limit, HERE);
    if (copy) {
        undo_write((uintptr_t)copy, length + 1);
        memcpy(copy, a, length);
        copy[length] = '\0';
    }
    return copy;
}

/* Three steps: the pointer, the string as far as the token reaches, the pointer again. A byte of
 * the string is written only where a token ends. */
static char *split(char *a, const char *set, char **rest, bool skip, const void *here) {
    if (!a) {
        reads(rest, sizeof *rest, here);
        a = *rest;
    }
    if (!a) {
        return NULL;
    }
    char *start = skip ? a + strspn(a, set) : a;
    size_t length = strcspn(start, set);
    char *end = start + length;
    bool cut = *end != '\0';
    access_two(a, (size_t)(end - a) + 1, cut ? ACCESS_READ_WRITE : ACCESS_READ, set,
               strlen(set) + 1, ACCESS_READ, here);
    char *next = cut ? end + 1 : skip ? end : NULL;
    if (cut) {
        *end = '\0';
    }
    writes(rest, sizeof *rest, here);
    *rest = next;
    return skip && !length ? NULL : start;
}

char *heddle_strtok_r(char *a, const char *set, char **rest) {
    return split(a, set, rest, true, HERE);
}

char *heddle___strtok_r(char *a, const char *set, char **rest) {
    return split(a, set, rest, true, HERE);
}

char *heddle_strtok_in(char *a, const char *set, char **rest, const void *here) {
    return split(a, set, rest, true, here);
}

char *heddle_strsep(char **rest, const char *set) {
    return split(NULL, set, rest, false, HERE);
}
