#define _GNU_SOURCE
/* Functions on strings that do more than touch ranges: they allocate, or take several steps. */
#include <string.h>
#include <wchar.h>

#include "base/text.h"
#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/memory/heap.h"

/* What is read comes first: an error in it is found before anything is allocated after it. */
char *heddle_strdup(const char *a) {
    const void *here = HERE;
    reads_string(a, here);
    size_t size = strlen(a) + 1;
    char *copy = heap_allocate(size, here);
    undo_write((uintptr_t)copy, copy ? size : 0);
    return copy ? memcpy(copy, a, size) : NULL;
}

char *heddle_strndup(const char *a, size_t limit) {
    const void *here = HERE;
    for (size_t seen = 0; range_grew(&seen, a, strnlen(a, limit) + (strnlen(a, limit) < limit));) {
        reads(a, seen, here);
    }
    size_t length = strnlen(a, limit);
    char *copy = heap_allocate(length + 1, here);
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

char *heddle_strtok_in(char *a, const char *set, char **rest, const void *here) {
    return split(a, set, rest, true, here);
}

/* The same with wide characters. */
wchar_t *heddle_wcstok(wchar_t *a, const wchar_t *set, wchar_t **rest) {
    if (!a) {
        reads(rest, sizeof *rest, HERE);
        a = *rest;
    }
    if (!a) {
        return NULL;
    }
    wchar_t *start = a + wcsspn(a, set), *end = start + wcscspn(start, set);
    CHECK(start >= a && end >= start);
    bool cut = *end != 0;
    access_two(a, (size_t)(end - a + 1) * sizeof *a, cut ? ACCESS_READ_WRITE : ACCESS_READ, set,
               (wcslen(set) + 1) * sizeof *set, ACCESS_READ, HERE);
    wchar_t *next = cut ? end + 1 : NULL;
    if (cut) {
        *end = 0;
    }
    writes(rest, sizeof *rest, HERE);
    *rest = next;
    return start < end ? start : NULL;
}

wchar_t *heddle_wcsdup(const wchar_t *a) {
    const void *here = HERE;
    for (size_t seen = 0; range_grew(&seen, a, (wcslen(a) + 1) * sizeof *a);) {
        reads(a, seen, here);
    }
    size_t size = (wcslen(a) + 1) * sizeof *a;
    wchar_t *copy = heap_allocate(size, here);
    undo_write((uintptr_t)copy, copy ? size : 0);
    return copy ? memcpy(copy, a, size) : NULL;
}

static bool is_option(const char *token, const char *text, size_t length, const void *here) {
    reads_string(token, here);
    return text_is(text, length, token);
}

/* The next of the options that are separated by commas, cut off in its place. */
int heddle_getsubopt(char **rest, char *const *tokens, char **value) {
    const void *here = HERE;
    modifies(rest, sizeof *rest, here);
    char *text = *rest, *end = strchrnul(text, ','),
         *equals = memchr(text, '=', (size_t)(end - text));
    size_t length = (size_t)((equals ? equals : end) - text);
    access_plain(text, (size_t)(end - text) + 1, *end ? ACCESS_READ_WRITE : ACCESS_READ, here);
    if (!*text) {
        return -1;
    }
    CHECK(length <= (size_t)(end - text));
    char *next = *end ? end + 1 : end;
    *end = '\0';
    int found = -1;
    for (int i = 0; found < 0; i++) {
        reads(&tokens[i], sizeof *tokens, here);
        if (!tokens[i]) {
            break;
        }
        found = is_option(tokens[i], text, length, here) ? i : -1;
    }
    writes(value, sizeof *value, here);
    *value = found < 0 ? text : equals ? equals + 1 : NULL;
    writes(rest, sizeof *rest, here);
    *rest = next;
    return found;
}

char *heddle_strsep(char **rest, const char *set) {
    return split(NULL, set, rest, false, HERE);
}
