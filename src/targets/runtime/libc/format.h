/* What a format of the printf family reads and writes through its arguments. */
#ifndef HEDDLE_TARGETS_RUNTIME_LIBC_FORMAT_H
#define HEDDLE_TARGETS_RUNTIME_LIBC_FORMAT_H

#include <stdarg.h>

/* Announces the strings that the format will read, and what its %n write. */
void format_announce(const char *format, va_list list, const void *here);

/* The same of a string by itself; NULL is none, a negative precision no bound. */
void format_read_string(const char *string, int precision, const void *here);

#endif
