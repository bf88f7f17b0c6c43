#define _GNU_SOURCE
/* scanf and sscanf. The string is read in one step. What was found goes to places on this stack
 * first, then to the program's, each in a step of its own: how much a conversion writes is known
 * only after it was made. All arguments are pointers, so libc takes ours as well as the program's.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/libc/scan.h"

enum { MOST_RESULTS = 16, RESULT_SIZE = 256, MOST_ROOM = 1 << 17 };
_Static_assert(MOST_RESULTS == 16, "SIXTEEN passes them");
_Static_assert(RESULT_SIZE >= sizeof(long double), "every number fits");

enum form { FORM_NUMBER, FORM_STRING, FORM_WIDE_STRING, FORM_COUNT };

typedef struct result {
    enum form form;
    size_t size; /* of a number or of characters without an end */
} result;

static const char *skip_set(const char *at) {
    at += *at == '^';
    at += *at == ']';
    return at + strcspn(at, "]");
}

static size_t number_size(char conversion, const char *length, size_t length_size) {
    bool real = strchr("aAeEfFgG", conversion) != NULL;
    if (conversion == 'p') {
        return sizeof(void *);
    }
    if (length_size == 0) {
        return real ? sizeof(float) : sizeof(int);
    }
    switch (*length) {
        case 'h': return length_size == 2 ? sizeof(char) : sizeof(short);
        case 'L': return real ? sizeof(long double) : sizeof(long long);
        default: return real ? sizeof(double) : sizeof(long);
    }
}

/* The conversion after "%" at *format, which is moved after it. False: not one of ours. */
static bool parse_one(const char **format, result *r, bool *stores) {
    const char *at = *format;
    *stores = *at != '*';
    at += *at == '*';
    size_t width = 0;
    for (; *at >= '0' && *at <= '9'; at++) {
        width = width * 10 + (size_t)(*at - '0');
    }
    const char *length = at;
    at += strspn(at, "hlLqjzt");
    size_t length_size = (size_t)(at - length);
    bool wide = length_size == 1 && *length == 'l';
    char conversion = *at;
    if (!conversion || !strchr("diouxXaAeEfFgGpcs[nCS", conversion)) {
        return false; /* also %m, which allocates, and %1$d */
    }
    wide = wide || conversion == 'C' || conversion == 'S';
    at = conversion == '[' ? skip_set(at + 1) : at;
    if (strchr("s[S", conversion)) {
        *r = (result){.form = wide ? FORM_WIDE_STRING : FORM_STRING, .size = width};
    } else if (strchr("cC", conversion)) {
        size_t each = wide ? sizeof(wchar_t) : 1;
        *r = (result){.form = FORM_NUMBER, .size = (width ? width : 1) * each};
    } else {
        *r = (result){.form = conversion == 'n' ? FORM_COUNT : FORM_NUMBER,
                      .size = number_size(conversion, length, length_size)};
    }
    *format = at + (*at != '\0');
    return true;
}

/* How many results there are; -1: too many or not ours. */
static int parse_format(const char *format, result *results) {
    int count = 0;
    while ((format = strchr(format, '%'))) {
        bool stores;
        if (*++format == '%') {
            format++;
            continue;
        }
        result r;
        if (!parse_one(&format, &r, &stores) || count == MOST_RESULTS) {
            return -1;
        }
        if (stores) {
            results[count++] = r;
        }
    }
    return count;
}

static size_t found_size(const result *r, const void *found) {
    switch (r->form) {
        case FORM_STRING: return strlen(found) + 1;
        case FORM_WIDE_STRING: return (wcslen(found) + 1) * sizeof(wchar_t);
        default: return r->size;
    }
}

/* Where libc reads from. */
typedef struct source {
    const char *string; /* or NULL */
    const unsigned char *bytes;
    size_t size; /* of either */
    uint64_t *position;
} source;

/* Room for every result: nothing that a conversion writes is longer than all there is to read, and
 * its end. */
static size_t room_for(const source *s, const result *results, int count) {
    size_t room = RESULT_SIZE;
    for (int i = 0; i < count; i++) {
        size_t most = results[i].form == FORM_STRING        ? s->size + 1
                      : results[i].form == FORM_WIDE_STRING ? (s->size + 1) * sizeof(wchar_t)
                                                            : results[i].size;
        room = most > room ? most : room;
    }
    return (room + 15) & ~(size_t)15;
}

#define SIXTEEN(p)                                                                                 \
    p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], p[12], p[13], p[14], \
        p[15]

static int read_source(const source *s, const char *format, void **p) {
    if (s->string) {
        return sscanf(s->string, format, SIXTEEN(p));
    }
    FILE *stream = s->size ? fmemopen((void *)s->bytes, s->size, "r") : NULL;
    if (!stream) {
        return EOF;
    }
    int found = fscanf(stream, format, SIXTEEN(p));
    *s->position += (uint64_t)ftell(stream);
    fclose(stream);
    return found;
}

static int scan_source(const source *s, const char *format, va_list list, const void *here) {
    result results[MOST_RESULTS];
    void *p[MOST_RESULTS];
    int count = parse_format(format, results);
    size_t room = count < 0 ? 0 : room_for(s, results, count);
    if (count < 0 || room > MOST_ROOM) {
        heddle_unsupported("scanf or sscanf with this format", here);
    }
    char *places = __builtin_alloca_with_align(room * MOST_RESULTS, 128);
    memset(places, 0, room * MOST_RESULTS);
    for (int i = 0; i < MOST_RESULTS; i++) {
        p[i] = places + (size_t)i * room;
    }
    for (int i = 0; i < count; i++) {
        if (results[i].form == FORM_COUNT) {
            memset(p[i], -1, sizeof(long)); /* to see whether it was reached */
        }
    }
    int found = read_source(s, format, p), left = found;
    CHECK(found <= count);
    for (int i = 0; i < count; i++) {
        void *to = va_arg(list, void *);
        bool is_count = results[i].form == FORM_COUNT;
        bool made = is_count ? ((signed char *)p[i])[results[i].size - 1] >= 0 : left-- > 0;
        if (made) {
            size_t size = found_size(&results[i], p[i]);
            CHECK(size <= room);
            writes(to, size, here);
            memcpy(to, p[i], size);
        }
    }
    return found;
}

int scan_bytes(const unsigned char *bytes, size_t size, uint64_t *position, const char *format,
               va_list list, const void *here) {
    source s = {.bytes = bytes, .size = size, .position = position};
    return scan_source(&s, format, list, here);
}

static int scan(const char *string, const char *format, va_list list, const void *here) {
    reads_string(string, here);
    source s = {.string = string, .size = strlen(string)};
    return scan_source(&s, format, list, here);
}

int heddle_vsscanf(const char *string, const char *format, va_list list) {
    return scan(string, format, list, HERE);
}

int heddle_sscanf(const char *string, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int found = scan(string, format, list, HERE);
    va_end(list);
    return found;
}
