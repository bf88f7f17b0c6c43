#define _GNU_SOURCE
/* Wide strings: as in strings.c. */
#include <wchar.h>

#include "runtime/ranges.h"
#include "runtime/symbols.h"

static size_t bytes(size_t count) {
    return count * sizeof(wchar_t);
}

static size_t whole(const wchar_t *a) {
    return bytes(wcslen(a) + 1);
}

wchar_t *heddle_wmemcpy(wchar_t *to, const wchar_t *from, size_t count) {
    copies(to, from, bytes(count), HERE);
    return wmemmove(to, from, count);
}

wchar_t *heddle_wmemmove(wchar_t *to, const wchar_t *from, size_t count) {
    copies(to, from, bytes(count), HERE);
    return wmemmove(to, from, count);
}

wchar_t *heddle_wmemset(wchar_t *to, wchar_t c, size_t count) {
    writes(to, bytes(count), HERE);
    return wmemset(to, c, count);
}

int heddle_wmemcmp(const wchar_t *a, const wchar_t *b, size_t count) {
    reads_two(a, bytes(count), b, bytes(count), HERE);
    return wmemcmp(a, b, count);
}

size_t heddle_wcslen(const wchar_t *a) {
    reads(a, whole(a), HERE);
    return wcslen(a);
}

wchar_t *heddle_wcscpy(wchar_t *to, const wchar_t *from) {
    copies(to, from, whole(from), HERE);
    return wcscpy(to, from);
}

wchar_t *heddle_wcsncpy(wchar_t *to, const wchar_t *from, size_t count) {
    size_t length = wcsnlen(from, count);
    access_two(to, bytes(count), ACCESS_WRITE, from, bytes(length < count ? length + 1 : count),
               ACCESS_READ, HERE);
    return wcsncpy(to, from, count);
}

wchar_t *heddle_wcscat(wchar_t *to, const wchar_t *from) {
    access_two(to, whole(to) + bytes(wcslen(from)), ACCESS_READ_WRITE, from, whole(from),
               ACCESS_READ, HERE);
    return wcscat(to, from);
}

int heddle_wcscmp(const wchar_t *a, const wchar_t *b) {
    size_t same = 0;
    while (a[same] && a[same] == b[same]) {
        same++;
    }
    reads_two(a, bytes(same + 1), b, bytes(same + 1), HERE);
    return wcscmp(a, b);
}

int heddle_wcsncmp(const wchar_t *a, const wchar_t *b, size_t count) {
    size_t same = 0;
    while (same < count && a[same] && a[same] == b[same]) {
        same++;
    }
    size_t size = bytes(same < count ? same + 1 : count);
    reads_two(a, size, b, size, HERE);
    return wcsncmp(a, b, count);
}

wchar_t *heddle_wcschr(const wchar_t *a, wchar_t c) {
    reads(a, whole(a), HERE);
    return wcschr(a, c);
}

wchar_t *heddle_wcsrchr(const wchar_t *a, wchar_t c) {
    reads(a, whole(a), HERE);
    return wcsrchr(a, c);
}

wchar_t *heddle_wcsstr(const wchar_t *a, const wchar_t *b) {
    reads_two(a, whole(a), b, whole(b), HERE);
    return wcsstr(a, b);
}
