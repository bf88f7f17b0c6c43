/* What a format of the printf family reads and writes through its arguments. */
#ifndef HEDDLE_TARGETS_RUNTIME_LIBC_FORMAT_H
#define HEDDLE_TARGETS_RUNTIME_LIBC_FORMAT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* What a format makes of its arguments; the bytes are on the stack of the thread, since others may
 * run before all of it is made. `length` is that of the whole. */
typedef struct format_text {
    char *bytes;
    size_t size, length;
    bool failed;
} format_text;

/* Announces the strings that the format will read, and what its %n write. With a text: each string
 * becomes part of it as it is when it is read. False: there is none, or no room for it. */
bool format_announce(const char *format, va_list list, format_text *, const void *here);

/* The same of a string by itself; NULL is none, a negative precision no bound. */
void format_read_string(const char *string, int precision, const void *here);

/* Whether it reads more than one string: others may change one while the thread reads another. */
bool format_reads_several(const char *format);

#endif
