/* Formatted input. */
#ifndef HEDDLE_TARGETS_RUNTIME_LIBC_SCAN_H
#define HEDDLE_TARGETS_RUNTIME_LIBC_SCAN_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* From bytes that never change. Where libc has stopped reading is known, and added to *position,
 * before the first result is written to the program's memory. */
int scan_bytes(const unsigned char *bytes, size_t size, uint64_t *position, const char *format,
               va_list list, const void *here);

#endif
