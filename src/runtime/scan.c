#define _GNU_SOURCE
/* sscanf. The string is read in one step. What was found goes to places on this stack first, then
 * to the program's, each in a step of its own: how much a conversion writes is known only after it
 * was made. All arguments are pointers, so libc takes ours as well as the program's. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "runtime/ranges.h"
#include "runtime/symbols.h"

enum { MOST_RESULTS = 16, RESULT_SIZE = 256 };

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

/* The conversion behind "%" at *format, which is moved behind it. False: not one of ours. */
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

/* Nothing that a conversion writes is longer than the string and its end. */
static bool fits(const char *string, const result *results, int count) {
    for (int i = 0; i < count; i++) {
        size_t most = results[i].form == FORM_STRING        ? strlen(string) + 1
                      : results[i].form == FORM_WIDE_STRING ? (strlen(string) + 1) * sizeof(wchar_t)
                                                            : results[i].size;
        if (most > RESULT_SIZE) {
            return false;
        }
    }
    return true;
}

static int scan(const char *string, const char *format, va_list list, const void *here) {
    result results[MOST_RESULTS];
    char places[MOST_RESULTS][RESULT_SIZE] __attribute__((aligned(16)));
    void *p[MOST_RESULTS];
    reads(string, strlen(string) + 1, here);
    int count = parse_format(format, results);
    if (count < 0 || !fits(string, results, count)) {
        heddle_unsupported("sscanf with this format", here);
    }
    memset(places, 0, sizeof places);
    for (int i = 0; i < MOST_RESULTS; i++) {
        p[i] = places[i];
    }
    for (int i = 0; i < count; i++) {
        if (results[i].form == FORM_COUNT) {
            memset(places[i], -1, sizeof(long)); /* to see whether it was reached */
        }
    }
    int found = sscanf(string, format, p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9],
                       p[10], p[11], p[12], p[13], p[14], p[15]);
    int left = found;
    for (int i = 0; i < count; i++) {
        void *to = va_arg(list, void *);
        bool is_count = results[i].form == FORM_COUNT;
        bool made = is_count ? (signed char)places[i][results[i].size - 1] >= 0 : left-- > 0;
        if (made) {
            size_t size = found_size(&results[i], places[i]);
            writes(to, size, here);
            memcpy(to, places[i], size);
        }
    }
    return found;
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

int heddle___isoc99_vsscanf(const char *string, const char *format, va_list list) {
    return scan(string, format, list, HERE);
}

int heddle___isoc99_sscanf(const char *string, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int found = scan(string, format, list, HERE);
    va_end(list);
    return found;
}
