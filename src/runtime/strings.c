#define _GNU_SOURCE
/* libc functions that touch memory of the program: their accesses are announced, then libc does
 * the work. How far a string is read is found out before the step; if another thread changes its
 * end meanwhile, that is a race, and the step is taken as announced. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "runtime/heap.h"
#include "runtime/ranges.h"
#include "runtime/symbols.h"

void *heddle_memcpy(void *to, const void *from, size_t size) {
    copies(to, from, size, HERE);
    return memmove(to, from, size);
}

void *heddle_mempcpy(void *to, const void *from, size_t size) {
    copies(to, from, size, HERE);
    return (char *)memmove(to, from, size) + size;
}

void *heddle_memmove(void *to, const void *from, size_t size) {
    copies(to, from, size, HERE);
    return memmove(to, from, size);
}

void *heddle_memset(void *to, int byte, size_t size) {
    if (size) {
        access_plain(to, size, ACCESS_WRITE, HERE);
    }
    return memset(to, byte, size);
}

void heddle_bzero(void *to, size_t size) {
    if (size) {
        access_plain(to, size, ACCESS_WRITE, HERE);
    }
    memset(to, 0, size);
}

int heddle_memcmp(const void *a, const void *b, size_t size) {
    reads_two(a, size, b, size, HERE);
    return memcmp(a, b, size);
}

void *heddle_memchr(const void *a, int byte, size_t size) {
    const char *end = memchr(a, byte, size);
    reads(a, end ? (size_t)(end - (const char *)a) + 1 : size, HERE);
    return memchr(a, byte, size);
}

size_t heddle_strlen(const char *a) {
    reads(a, strlen(a) + 1, HERE);
    return strlen(a);
}

size_t heddle_strnlen(const char *a, size_t size) {
    size_t length = strnlen(a, size);
    reads(a, length < size ? length + 1 : size, HERE);
    return strnlen(a, size);
}

char *heddle_strcpy(char *to, const char *from) {
    copies(to, from, strlen(from) + 1, HERE);
    return strcpy(to, from);
}

char *heddle_stpcpy(char *to, const char *from) {
    copies(to, from, strlen(from) + 1, HERE);
    return stpcpy(to, from);
}

char *heddle_strncpy(char *to, const char *from, size_t size) {
    size_t length = strnlen(from, size);
    access_two(to, size, ACCESS_WRITE, from, length < size ? length + 1 : size, ACCESS_READ, HERE);
    return strncpy(to, from, size);
}

char *heddle_strcat(char *to, const char *from) {
    size_t old = strlen(to), length = strlen(from) + 1;
    access_two(to, old + length, ACCESS_READ_WRITE, from, length, ACCESS_READ, HERE);
    return strcat(to, from);
}

char *heddle_strncat(char *to, const char *from, size_t size) {
    size_t old = strlen(to), length = strnlen(from, size);
    access_two(to, old + length + 1, ACCESS_READ_WRITE, from, length, ACCESS_READ, HERE);
    return strncat(to, from, size);
}

/* Bytes up to and with the first difference or the end. */
static size_t compared(const char *a, const char *b, size_t limit, int (*fold)(int)) {
    size_t i = 0;
    while (i < limit && a[i] && fold((unsigned char)a[i]) == fold((unsigned char)b[i])) {
        i++;
    }
    return i < limit ? i + 1 : limit;
}

static int same(int c) {
    return c;
}

int heddle_strcmp(const char *a, const char *b) {
    size_t size = compared(a, b, SIZE_MAX, same);
    reads_two(a, size, b, size, HERE);
    return strcmp(a, b);
}

int heddle_strncmp(const char *a, const char *b, size_t limit) {
    size_t size = compared(a, b, limit, same);
    reads_two(a, size, b, size, HERE);
    return strncmp(a, b, limit);
}

int heddle_strcasecmp(const char *a, const char *b) {
    size_t size = compared(a, b, SIZE_MAX, tolower);
    reads_two(a, size, b, size, HERE);
    return strcasecmp(a, b);
}

int heddle_strncasecmp(const char *a, const char *b, size_t limit) {
    size_t size = compared(a, b, limit, tolower);
    reads_two(a, size, b, size, HERE);
    return strncasecmp(a, b, limit);
}

char *heddle_strchr(const char *a, int c) {
    const char *end = strchr(a, c);
    reads(a, end ? (size_t)(end - a) + 1 : strlen(a) + 1, HERE);
    return strchr(a, c);
}

char *heddle_strrchr(const char *a, int c) {
    reads(a, strlen(a) + 1, HERE);
    return strrchr(a, c);
}

char *heddle_strstr(const char *a, const char *b) {
    reads_two(a, strlen(a) + 1, b, strlen(b) + 1, HERE);
    return strstr(a, b);
}

char *heddle_strdup(const char *a) {
    size_t size = strlen(a) + 1;
    char *copy = heap_allocate(size, HERE);
    reads(a, size, HERE);
    return copy ? memcpy(copy, a, size) : NULL;
}

char *heddle_strndup(const char *a, size_t limit) {
    size_t length = strnlen(a, limit);
    char *copy = heap_allocate(length + 1, HERE);
    reads(a, length < limit ? length + 1 : limit, HERE);
    if (copy) {
        memcpy(copy, a, length);
        copy[length] = '\0';
    }
    return copy;
}

/* ---- sorting: libc's would move elements unseen and hold memory across steps ---- */

typedef struct sorting {
    char *base;
    size_t size;
    int (*compare)(const void *, const void *, void *);
    void *context;
    const void *here;
} sorting;

static void exchange(const sorting *s, size_t i, size_t j) {
    char *a = s->base + i * s->size, *b = s->base + j * s->size;
    access_two(a, s->size, ACCESS_READ_WRITE, b, s->size, ACCESS_READ_WRITE, s->here);
    for (size_t k = 0; k < s->size; k++) {
        char byte = a[k];
        a[k] = b[k];
        b[k] = byte;
    }
}

static bool before(const sorting *s, size_t i, size_t j) {
    return s->compare(s->base + i * s->size, s->base + j * s->size, s->context) < 0;
}

static void sift(const sorting *s, size_t root, size_t count) {
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && before(s, child, child + 1)) {
            child++;
        }
        if (!before(s, root, child)) {
            return;
        }
        exchange(s, root, child);
    }
}

static void sort(const sorting *s, size_t count) {
    if (count < 8) {
        for (size_t i = 1; i < count; i++) {
            for (size_t j = i; j > 0 && before(s, j, j - 1); j--) {
                exchange(s, j, j - 1);
            }
        }
        return;
    }
    for (size_t i = count / 2; i-- > 0;) {
        sift(s, i, count);
    }
    for (size_t i = count; i-- > 1;) {
        exchange(s, 0, i);
        sift(s, 0, i);
    }
}

void heddle_qsort_r(void *base, size_t count, size_t size,
                    int (*compare)(const void *, const void *, void *), void *context) {
    sorting s = {base, size, compare, context, HERE};
    sort(&s, count);
}

void heddle_qsort(void *base, size_t count, size_t size,
                  int (*compare)(const void *, const void *)) {
    sorting s = {base, size, (int (*)(const void *, const void *, void *))(void (*)(void))compare,
                 NULL, HERE};
    sort(&s, count);
}

/* Numbers: the whole string counts as read. */

int heddle_atoi(const char *a) {
    reads(a, strlen(a) + 1, HERE);
    return atoi(a);
}

long heddle_atol(const char *a) {
    reads(a, strlen(a) + 1, HERE);
    return atol(a);
}

long long heddle_atoll(const char *a) {
    reads(a, strlen(a) + 1, HERE);
    return atoll(a);
}

double heddle_atof(const char *a) {
    reads(a, strlen(a) + 1, HERE);
    return atof(a);
}

static void parses(const char *a, char **end, const void *here) {
    reads(a, strlen(a) + 1, here);
    if (end) {
        access_plain(end, sizeof *end, ACCESS_WRITE, here);
    }
}

long heddle_strtol(const char *a, char **end, int base) {
    parses(a, end, HERE);
    return strtol(a, end, base);
}

unsigned long heddle_strtoul(const char *a, char **end, int base) {
    parses(a, end, HERE);
    return strtoul(a, end, base);
}

long long heddle_strtoll(const char *a, char **end, int base) {
    parses(a, end, HERE);
    return strtoll(a, end, base);
}

unsigned long long heddle_strtoull(const char *a, char **end, int base) {
    parses(a, end, HERE);
    return strtoull(a, end, base);
}

double heddle_strtod(const char *a, char **end) {
    parses(a, end, HERE);
    return strtod(a, end);
}

float heddle_strtof(const char *a, char **end) {
    parses(a, end, HERE);
    return strtof(a, end);
}
