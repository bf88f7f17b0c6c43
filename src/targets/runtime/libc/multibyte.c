#define _GNU_SOURCE
#include "targets/runtime/libc/multibyte.h"

#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"

size_t multibyte_widened(const char *bytes, size_t limit) {
    size_t i = 0;
    while (bytes && i < limit && btowc((unsigned char)bytes[i]) != WEOF) {
        if (!bytes[i++]) {
            break;
        }
    }
    return i;
}

size_t multibyte_bytes_read(const char *bytes, size_t limit) {
    size_t i = multibyte_widened(bytes, limit);
    CHECK(bytes && i <= limit);
    bool ended = i && !bytes[i - 1];
    return ended || i == limit ? i : i + 1;
}

size_t multibyte_narrowed(const wchar_t *text, size_t limit) {
    size_t i = 0;
    while (i < limit && wctob((wint_t)text[i]) != EOF) {
        if (!text[i++]) {
            break;
        }
    }
    return i;
}

size_t multibyte_wide_read(const wchar_t *text, size_t limit) {
    size_t i = multibyte_narrowed(text, limit);
    CHECK(i <= limit);
    bool ended = i && !text[i - 1];
    return ended || i == limit ? i : i + 1;
}

/* Three steps: the pointer, the characters, the pointer again, unless they are only counted. */

static size_t widen(wchar_t *to, const char **from, size_t bytes, size_t count, mbstate_t *state,
                    const void *here) {
    reads(from, sizeof *from, here);
    const char *at = *from;
    size_t limit = !to || bytes < count ? bytes : count;
    modifies(state, state ? sizeof *state : 0, here);
    writes_from(to, to ? multibyte_widened(at, limit) * sizeof *to : 0, at,
                multibyte_bytes_read(at, limit), here);
    size_t made = mbsnrtowcs(to, &at, bytes, count, state);
    CHECK(made == (size_t)-1 || made <= limit);
    if (to) {
        writes(from, sizeof *from, here);
        *from = at;
    }
    return made;
}

size_t heddle_mbsrtowcs(wchar_t *to, const char **from, size_t count, mbstate_t *state) {
    return widen(to, from, SIZE_MAX, count, state, HERE);
}

size_t heddle_mbsnrtowcs(wchar_t *to, const char **from, size_t bytes, size_t count,
                         mbstate_t *state) {
    return widen(to, from, bytes, count, state, HERE);
}

static size_t narrow(char *to, const wchar_t **from, size_t characters, size_t size,
                     mbstate_t *state, const void *here) {
    reads(from, sizeof *from, here);
    const wchar_t *at = *from;
    size_t limit = !to || characters < size ? characters : size;
    modifies(state, state ? sizeof *state : 0, here);
    writes_from(to, to ? multibyte_narrowed(at, limit) : 0, at,
                multibyte_wide_read(at, limit) * sizeof *at, here);
    size_t made = wcsnrtombs(to, &at, characters, size, state);
    CHECK(made == (size_t)-1 || made <= limit);
    if (to) {
        writes(from, sizeof *from, here);
        *from = at;
    }
    return made;
}

size_t heddle_wcsrtombs(char *to, const wchar_t **from, size_t size, mbstate_t *state) {
    return narrow(to, from, SIZE_MAX / sizeof **from, size, state, HERE);
}

size_t heddle_wcsnrtombs(char *to, const wchar_t **from, size_t characters, size_t size,
                         mbstate_t *state) {
    return narrow(to, from, characters, size, state, HERE);
}
