/* How far conversions between bytes and wide characters go, in the locale "C": they stop after the
 * end of the string, at `limit` characters, and at one that has no counterpart. */
#ifndef HEDDLE_TARGETS_RUNTIME_LIBC_MULTIBYTE_H
#define HEDDLE_TARGETS_RUNTIME_LIBC_MULTIBYTE_H

#include <stddef.h>
#include <wchar.h>

/* Wide characters that are written for these bytes (none for NULL); bytes that are read for that.
 */
size_t multibyte_widened(const char *bytes, size_t limit);
size_t multibyte_bytes_read(const char *bytes, size_t limit);

/* Bytes that are written for these wide characters; wide characters that are read for that. */
size_t multibyte_narrowed(const wchar_t *text, size_t limit);
size_t multibyte_wide_read(const wchar_t *text, size_t limit);

#endif
