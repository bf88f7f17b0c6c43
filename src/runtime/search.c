#define _GNU_SOURCE
/* Strings taken apart and searched: as in strings.c. */
#include <string.h>
#include <strings.h>

#include "runtime/ranges.h"
#include "runtime/symbols.h"

void heddle_bcopy(const void *from, void *to, size_t size) {
    copies(to, from, size, HERE);
    memmove(to, from, size);
}

int heddle_bcmp(const void *a, const void *b, size_t size) {
    reads_two(a, size, b, size, HERE);
    return memcmp(a, b, size);
}

void heddle_explicit_bzero(void *to, size_t size) {
    writes(to, size, HERE);
    memset(to, 0, size);
}

void *heddle_memrchr(const void *a, int byte, size_t size) {
    reads(a, size, HERE);
    return memrchr(a, byte, size);
}

void *heddle_rawmemchr(const void *a, int byte) {
    reads(a, (size_t)((const char *)rawmemchr(a, byte) - (const char *)a) + 1, HERE);
    return rawmemchr(a, byte);
}

void *heddle_memmem(const void *a, size_t size, const void *b, size_t b_size) {
    reads_two(a, size, b, b_size, HERE);
    return memmem(a, size, b, b_size);
}

void *heddle_memccpy(void *to, const void *from, int byte, size_t size) {
    const char *end = memchr(from, byte, size);
    copies(to, from, end ? (size_t)(end - (const char *)from) + 1 : size, HERE);
    return memccpy(to, from, byte, size);
}

char *heddle_stpncpy(char *to, const char *from, size_t size) {
    size_t length = strnlen(from, size);
    access_two(to, size, ACCESS_WRITE, from, length < size ? length + 1 : size, ACCESS_READ, HERE);
    return stpncpy(to, from, size);
}

static void reads_strings(const char *a, const char *b, const void *here) {
    reads_two(a, strlen(a) + 1, b, strlen(b) + 1, here);
}

char *heddle_index(const char *a, int c) {
    reads(a, strlen(a) + 1, HERE);
    return strchr(a, c);
}

char *heddle_rindex(const char *a, int c) {
    reads(a, strlen(a) + 1, HERE);
    return strrchr(a, c);
}

char *heddle_strchrnul(const char *a, int c) {
    reads(a, (size_t)(strchrnul(a, c) - a) + 1, HERE);
    return strchrnul(a, c);
}

char *heddle_strcasestr(const char *a, const char *b) {
    reads_strings(a, b, HERE);
    return strcasestr(a, b);
}

int heddle_strcoll(const char *a, const char *b) {
    reads_strings(a, b, HERE);
    return strcoll(a, b);
}

size_t heddle_strspn(const char *a, const char *set) {
    reads_two(a, strspn(a, set) + 1, set, strlen(set) + 1, HERE);
    return strspn(a, set);
}

size_t heddle_strcspn(const char *a, const char *set) {
    reads_two(a, strcspn(a, set) + 1, set, strlen(set) + 1, HERE);
    return strcspn(a, set);
}

char *heddle_strpbrk(const char *a, const char *set) {
    reads_two(a, strcspn(a, set) + 1, set, strlen(set) + 1, HERE);
    return strpbrk(a, set);
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
