#include "targets/runtime/libc/format.h"

#include <printf.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>

#include "base/limit.h"
#include "targets/runtime/kernel/ranges.h"

enum { MOST_ARGUMENTS = 256 };

typedef struct argument {
    int type; /* as parse_printf_format has it */
    uint64_t value;
} argument;

/* A format whose arguments are known, and where its reader stands. */
typedef struct format_reader {
    const char *at;
    const argument *arguments;
    size_t count, next;
} format_reader;

/* How many elements a conversion reads of a string with `length` elements before its end. */
static size_t elements_read(size_t length, int precision) {
    return precision >= 0 && length >= (size_t)precision ? (size_t)precision : length + 1;
}

void format_read_string(const char *string, int precision, const void *here) {
    size_t most = precision < 0 ? PTRDIFF_MAX : (size_t)precision;
    for (size_t seen = 0;
         string && range_grew(&seen, string, elements_read(strnlen(string, most), precision));) {
        reads(string, seen, here);
    }
}

static void read_wide_string(const wchar_t *string, int precision, const void *here) {
    size_t most = precision < 0 ? PTRDIFF_MAX / sizeof *string : (size_t)precision;
    for (size_t seen = 0;
         string && range_grew(&seen, string, elements_read(wcsnlen(string, most), precision));) {
        reads(string, seen * sizeof *string, here);
    }
}

static uint64_t take(int type, va_list *list) {
    bool is_long = type & (PA_FLAG_LONG | PA_FLAG_LONG_LONG);
    if (type & PA_FLAG_PTR) {
        return (uintptr_t)va_arg(*list, void *);
    }
    switch (type & ~PA_FLAG_MASK) {
        case PA_STRING:
        case PA_WSTRING:
        case PA_POINTER: return (uintptr_t)va_arg(*list, void *);
        case PA_FLOAT:
        case PA_DOUBLE:
            if (type & PA_FLAG_LONG_DOUBLE) {
                (void)va_arg(*list, long double);
            } else {
                (void)va_arg(*list, double);
            }
            return 0;
        case PA_WCHAR: return va_arg(*list, wint_t);
        default: return is_long ? (uint64_t)va_arg(*list, long) : (uint64_t)va_arg(*list, int);
    }
}

/* What %n writes, by its length modifier ("hh", "l", ...), which has `count` letters. */
static size_t written_size(const char *modifier, size_t count) {
    return !count ? sizeof(int) : *modifier != 'h' ? sizeof(long) : count == 1 ? sizeof(short) : 1;
}

static int read_number(format_reader *r) {
    int number = 0;
    for (; *r->at >= '0' && *r->at <= '9'; r->at++) {
        number = number * 10 + (*r->at - '0');
    }
    return number;
}

/* "2$": the second argument; otherwise the next one. NULL if there is none. */
static const argument *read_position(format_reader *r) {
    const char *before = r->at;
    size_t position = (size_t)read_number(r);
    if (*r->at == '$' && r->at > before) {
        r->at++;
    } else {
        r->at = before;
        position = 0;
    }
    size_t index = position ? position - 1 : r->next++;
    return index < r->count ? &r->arguments[index] : NULL;
}

/* A width or a precision. */
static int read_size(format_reader *r) {
    if (*r->at != '*') {
        return read_number(r);
    }
    r->at++;
    const argument *a = read_position(r);
    return a ? (int)a->value : 0;
}

/* parse_printf_format does not report lengths of strings and of %n. */
static void announce_argument(const argument *a, int precision, const char *modifier,
                              size_t modifiers, const void *here) {
    const void *pointer = (const void *)(uintptr_t)a->value;
    bool is_long = modifiers && *modifier == 'l';
    if (a->type & PA_FLAG_PTR) {
        access_plain(pointer, written_size(modifier, modifiers), ACCESS_WRITE, here);
    } else if (a->type == PA_WSTRING || (a->type == PA_STRING && is_long)) {
        read_wide_string(pointer, precision, here);
    } else if (a->type == PA_STRING) {
        format_read_string(pointer, precision, here);
    }
}

/* After the '%'. */
static void announce_conversion(format_reader *r, const void *here) {
    size_t next = r->next;
    int precision = -1;
    const argument *a = read_position(r);
    bool positioned = r->next == next;
    r->next = next;
    r->at += strspn(r->at, "-+ #0'I");
    read_size(r);
    if (*r->at == '.') {
        r->at++;
        precision = read_size(r);
    }
    const char *modifier = r->at;
    size_t modifiers = strspn(r->at, "hlLqjzZt");
    r->at += modifiers;
    if (!*r->at) {
        return;
    }
    char conversion = *r->at++;
    if (conversion == '%' || conversion == 'm') {
        return;
    }
    if (!positioned) {
        a = r->next < r->count ? &r->arguments[r->next] : NULL;
        r->next++;
    }
    if (a) {
        announce_argument(a, precision, modifier, modifiers, here);
    }
}

void format_announce(const char *format, va_list list, const void *here) {
    int types[MOST_ARGUMENTS];
    argument arguments[MOST_ARGUMENTS];
    size_t count = parse_printf_format(format, MOST_ARGUMENTS, types);
    if (count > MOST_ARGUMENTS) {
        limit_reached(LIMIT_TEXT);
        count = MOST_ARGUMENTS;
    }
    va_list taken;
    va_copy(taken, list);
    for (size_t i = 0; i < count; i++) {
        arguments[i] = (argument){types[i], take(types[i], &taken)};
    }
    va_end(taken);
    format_reader r = {.at = format, .arguments = arguments, .count = count};
    while ((r.at = strchr(r.at, '%'))) {
        r.at++;
        announce_conversion(&r, here);
    }
}
