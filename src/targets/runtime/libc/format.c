#include "targets/runtime/libc/format.h"

#include <printf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "base/limit.h"
#include "targets/runtime/kernel/ranges.h"

enum { MOST_ARGUMENTS = 256 };

typedef struct argument {
    int type; /* as parse_printf_format has it */
    uint64_t value;
    long double number; /* of a conversion of floating-point numbers */
} argument;

/* A format whose arguments are known, and where its reader stands. */
typedef struct format_reader {
    const char *at;
    const argument *arguments;
    size_t count, next;
    format_text *text; /* what is made of it, or NULL */
} format_reader;

/* A conversion, after its '%'. */
typedef struct conversion {
    const argument *of; /* NULL: none */
    const char *flags, *modifier;
    int flag_count, modifier_count;
    int width, precision; /* a width below 0 pads on the right; a precision below 0 is none */
    char letter;
} conversion;

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

static long double take_number(int type, va_list *list) {
    return type & PA_FLAG_LONG_DOUBLE ? va_arg(*list, long double) : va_arg(*list, double);
}

static bool is_number(int type) {
    int base = type & ~PA_FLAG_MASK;
    return !(type & PA_FLAG_PTR) && (base == PA_FLOAT || base == PA_DOUBLE);
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
static void announce_argument(const conversion *c, const void *here) {
    const argument *a = c->of;
    const void *pointer = (const void *)(uintptr_t)a->value;
    bool is_long = c->modifier_count && *c->modifier == 'l';
    if (a->type & PA_FLAG_PTR) {
        access_plain(pointer, written_size(c->modifier, (size_t)c->modifier_count), ACCESS_WRITE,
                     here);
    } else if (a->type == PA_WSTRING || (a->type == PA_STRING && is_long)) {
        read_wide_string(pointer, c->precision, here);
    } else if (a->type == PA_STRING) {
        format_read_string(pointer, c->precision, here);
    }
}

/* After the '%'. False: the format ends there. */
static bool read_conversion(format_reader *r, conversion *c) {
    size_t next = r->next;
    const argument *a = read_position(r);
    bool positioned = r->next == next;
    r->next = next;
    c->flags = r->at;
    c->flag_count = (int)strspn(r->at, "-+ #0'I");
    r->at += c->flag_count;
    c->width = read_size(r);
    c->precision = -1;
    if (*r->at == '.') {
        r->at++;
        c->precision = read_size(r);
    }
    c->modifier = r->at;
    c->modifier_count = (int)strspn(r->at, "hlLqjzZt");
    r->at += c->modifier_count;
    if (!*r->at) {
        return false;
    }
    c->letter = *r->at++;
    bool takes = c->letter != '%' && c->letter != 'm';
    if (takes && !positioned) {
        a = r->next < r->count ? &r->arguments[r->next] : NULL;
        r->next++;
    }
    c->of = takes ? a : NULL;
    return true;
}

/* ---- the text, piece by piece ---- */

static void add_length(format_text *text, int length) {
    text->failed |= length < 0;
    text->length += length < 0 ? 0 : (size_t)length;
}

static char *room(const format_text *text, size_t *size) {
    size_t used = text->length < text->size ? text->length : text->size;
    CHECK(text->bytes && used <= text->size);
    *size = text->size - used;
    return text->bytes + used;
}

/* What %n writes. */
static void put_length(const format_text *text, const conversion *c) {
    long length = (long)text->length;
    CHECK(c->letter == 'n' && c->of);
    memcpy((void *)(uintptr_t)c->of->value, &length,
           written_size(c->modifier, (size_t)c->modifier_count));
}

static void add_bytes(format_text *text, const char *bytes, size_t count) {
    size_t size;
    char *to = room(text, &size);
    memcpy(to, bytes, count < size ? count : size);
    text->length += count;
}

static void add_conversion(format_text *text, const conversion *c) {
    char form[64], *to;
    size_t size;
    if (c->letter == '%') {
        add_bytes(text, "%", 1);
        return;
    }
    int n = snprintf(form, sizeof form, "%%%.*s*.*%.*s%c", c->flag_count, c->flags,
                     c->modifier_count, c->modifier, c->letter);
    to = room(text, &size);
    text->failed |= n < 0 || n >= (int)sizeof form;
    if (text->failed) {
        return;
    }
    int type = c->of ? c->of->type : PA_INT;
    uint64_t value = c->of ? c->of->value : 0;
    if (type & PA_FLAG_PTR) {
        put_length(text, c);
    } else if (is_number(type) && type & PA_FLAG_LONG_DOUBLE) {
        add_length(text, snprintf(to, size, form, c->width, c->precision, c->of->number));
    } else if (is_number(type)) {
        add_length(text, snprintf(to, size, form, c->width, c->precision, (double)c->of->number));
    } else { /* an int is passed as a long is */
        add_length(text, snprintf(to, size, form, c->width, c->precision, value));
    }
}

/* ---- the format ---- */

static void read_format(format_reader *r, const void *here) {
    for (;;) {
        const char *next = strchr(r->at, '%');
        if (r->text) {
            add_bytes(r->text, r->at, next ? (size_t)(next - r->at) : strlen(r->at));
        }
        conversion c;
        r->at = next ? next + 1 : NULL;
        if (!next) {
            return;
        }
        if (!read_conversion(r, &c)) {
            break;
        }
        if (c.of) {
            announce_argument(&c, here);
        }
        if (r->text) {
            add_conversion(r->text, &c);
        }
    }
    if (r->text) {
        r->text->failed = true; /* the format is not complete */
    }
}

static size_t take_arguments(const char *format, va_list list, argument *arguments) {
    int types[MOST_ARGUMENTS];
    size_t count = parse_printf_format(format, MOST_ARGUMENTS, types);
    if (count > MOST_ARGUMENTS) {
        limit_reached(LIMIT_TEXT);
        count = MOST_ARGUMENTS;
    }
    va_list taken;
    va_copy(taken, list);
    for (size_t i = 0; i < count; i++) {
        arguments[i] = (argument){.type = types[i]};
        if (is_number(types[i])) {
            arguments[i].number = take_number(types[i], &taken);
        } else {
            arguments[i].value = take(types[i], &taken);
        }
    }
    va_end(taken);
    return count;
}

bool format_reads_several(const char *format) {
    int types[MOST_ARGUMENTS];
    size_t count = parse_printf_format(format, MOST_ARGUMENTS, types), strings = 0;
    for (size_t i = 0; i < count && i < MOST_ARGUMENTS; i++) {
        strings += types[i] == PA_STRING || types[i] == PA_WSTRING;
    }
    return strings > 1;
}

bool format_announce(const char *format, va_list list, format_text *text, const void *here) {
    argument arguments[MOST_ARGUMENTS];
    format_reader r = {.at = format, .arguments = arguments, .text = text};
    r.count = take_arguments(format, list, arguments);
    read_format(&r, here);
    return text && !text->failed && text->length < text->size;
}
