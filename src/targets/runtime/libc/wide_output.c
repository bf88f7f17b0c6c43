/* Output of wide characters: silent, as in output.c; shown in a replay as bytes, so that streams,
 * which are heddle's as well, do not become wide. */
#include <stdarg.h>
#include <stdio.h>
#include <wchar.h>

#include "base/limit.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/libc/format.h"
#include "targets/runtime/libc/stream_locks.h"

#define HERE __builtin_return_address(0)

enum { WIDE_TEXT = 1 << 14 };

static void check_stream(FILE *stream, const void *here) {
    if (runtime.current && stream != stdout && stream != stderr) {
        runtime_fail(runtime.current, ERROR_UNSUPPORTED, location_of(here),
                     "unsupported: wide output to a file");
    }
}

static void read_wide(const wchar_t *string, const void *here) {
    for (size_t seen = 0; range_grew(&seen, string, (wcslen(string) + 1) * sizeof *string);) {
        reads(string, seen, here);
    }
}

/* A conversion is the same in bytes; the text between them does not matter. */
static void announce(const wchar_t *format, va_list list, const void *here) {
    char narrow[WIDE_TEXT];
    size_t length = wcslen(format);
    if (length >= WIDE_TEXT) {
        limit_reached(LIMIT_TEXT);
        return;
    }
    for (size_t i = 0; i <= length; i++) {
        narrow[i] = (wint_t)format[i] < 0x80 ? (char)format[i] : '?';
    }
    format_announce(narrow, list, NULL, here);
}

static int print(FILE *stream, const wchar_t *format, va_list list, const void *here) {
    static wchar_t text[WIDE_TEXT]; /* no fiber parks while it is used */
    check_stream(stream, here);
    stream_locks_enter(stream, here);
    if (runtime.current) {
        announce(format, list, here);
    }
    int length = vswprintf(text, WIDE_TEXT, format, list);
    if (length < 0) { /* too long, or not to be converted */
        limit_reached(LIMIT_TEXT);
    } else if (runtime.settings.echo) {
        fprintf(stream, "%ls", text);
    }
    stream_locks_leave(stream, here);
    return length;
}

int heddle_vfwprintf(FILE *stream, const wchar_t *format, va_list list) {
    return print(stream, format, list, HERE);
}

int heddle_vwprintf(const wchar_t *format, va_list list) {
    return print(stdout, format, list, HERE);
}

int heddle_fwprintf(FILE *stream, const wchar_t *format, ...) {
    va_list list;
    va_start(list, format);
    int length = print(stream, format, list, HERE);
    va_end(list);
    return length;
}

int heddle_wprintf(const wchar_t *format, ...) {
    va_list list;
    va_start(list, format);
    int length = print(stdout, format, list, HERE);
    va_end(list);
    return length;
}

/* Into memory of the program. What does not fit is no error of the program: -1. */
static int print_into(wchar_t *to, size_t size, const wchar_t *format, va_list list,
                      const void *here) {
    if (runtime.current) {
        announce(format, list, here);
    }
    va_list again;
    va_copy(again, list);
    static wchar_t text[WIDE_TEXT]; /* no fiber parks while it is used */
    int length = vswprintf(text, size < WIDE_TEXT ? size : WIDE_TEXT, format, again);
    va_end(again);
    size_t written = length < 0 ? size : (size_t)length + 1;
    if (written) {
        access_plain(to, written * sizeof *to, ACCESS_WRITE, here);
    }
    return vswprintf(to, size, format, list);
}

int heddle_vswprintf(wchar_t *to, size_t size, const wchar_t *format, va_list list) {
    return print_into(to, size, format, list, HERE);
}

int heddle_swprintf(wchar_t *to, size_t size, const wchar_t *format, ...) {
    va_list list;
    va_start(list, format);
    int length = print_into(to, size, format, list, HERE);
    va_end(list);
    return length;
}

static void put(FILE *stream, const wchar_t *string, const void *here) {
    check_stream(stream, here);
    stream_locks_enter(stream, here);
    if (runtime.settings.echo) {
        fprintf(stream, "%ls", string);
    }
    stream_locks_leave(stream, here);
}

int heddle_fputws(const wchar_t *string, FILE *stream) {
    read_wide(string, HERE);
    put(stream, string, HERE);
    return 1;
}

wint_t heddle_fputwc(wchar_t c, FILE *stream) {
    put(stream, (const wchar_t[]){c, L'\0'}, HERE);
    return (wint_t)c;
}

wint_t heddle_putwchar(wchar_t c) {
    put(stdout, (const wchar_t[]){c, L'\0'}, HERE);
    return (wint_t)c;
}

/* Streams take both kinds of output: they are as wide as is asked for. */
int heddle_fwide(FILE *stream, int mode) {
    (void)stream;
    return mode;
}
