#define _GNU_SOURCE
#include "targets/runtime/libc/multibyte.h"

#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"

/* Both directions. `made` counts the characters that are converted, which ends after a null or
 * before one that is not `fits`; `looked_at` those that are read for it; `convert` does it in three
 * steps: the pointer, the characters, the pointer again, unless they are only counted. */
#define DIRECTION(made, looked_at, convert, to_type, from_type, fits, function)          \
    size_t made(const from_type *text, size_t limit) {                                   \
        size_t i = 0;                                                                    \
        while (text && i < limit && fits(text[i])) {                                     \
            if (!text[i++]) {                                                            \
                break;                                                                   \
            }                                                                            \
        }                                                                                \
        return i;                                                                        \
    }                                                                                    \
    size_t looked_at(const from_type *text, size_t limit) {                              \
        size_t i = made(text, limit);                                                    \
        CHECK(i <= limit);                                                               \
        bool ended = i && !text[i - 1];                                                  \
        return ended || i == limit ? i : i + 1;                                          \
    }                                                                                    \
    static size_t convert(to_type *to, const from_type **from, size_t most, size_t room, \
                          mbstate_t *state, const void *here) {                          \
        reads(from, sizeof *from, here);                                                 \
        const from_type *at = *from;                                                     \
        size_t limit = !to || most < room ? most : room;                                 \
        modifies(state, state ? sizeof *state : 0, here);                                \
        writes_from(to, to ? made(at, limit) * sizeof *to : 0, at,                       \
                    looked_at(at, limit) * sizeof *at, here);                            \
        size_t count = function(to, &at, most, room, state);                             \
        CHECK(count == (size_t)-1 || count <= limit);                                    \
        if (to) {                                                                        \
            writes(from, sizeof *from, here);                                            \
            *from = at;                                                                  \
        }                                                                                \
        return count;                                                                    \
    }

static bool has_wide(char c) {
    return btowc((unsigned char)c) != WEOF;
}

static bool has_byte(wchar_t c) {
    return wctob((wint_t)c) != EOF;
}

DIRECTION(multibyte_widened, multibyte_bytes_read, widen, wchar_t, char, has_wide, mbsnrtowcs)
DIRECTION(multibyte_narrowed, multibyte_wide_read, narrow, char, wchar_t, has_byte, wcsnrtombs)

size_t heddle_mbsrtowcs(wchar_t *to, const char **from, size_t count, mbstate_t *state) {
    return widen(to, from, SIZE_MAX, count, state, HERE);
}

size_t heddle_mbsnrtowcs(wchar_t *to, const char **from, size_t bytes, size_t count,
                         mbstate_t *state) {
    return widen(to, from, bytes, count, state, HERE);
}

size_t heddle_wcsrtombs(char *to, const wchar_t **from, size_t size, mbstate_t *state) {
    return narrow(to, from, SIZE_MAX / sizeof **from, size, state, HERE);
}

size_t heddle_wcsnrtombs(char *to, const wchar_t **from, size_t characters, size_t size,
                         mbstate_t *state) {
    return narrow(to, from, characters, size, state, HERE);
}
