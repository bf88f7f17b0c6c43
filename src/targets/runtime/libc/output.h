/* Output, for models of functions that print or write. */
#ifndef HEDDLE_TARGETS_RUNTIME_LIBC_OUTPUT_H
#define HEDDLE_TARGETS_RUNTIME_LIBC_OUTPUT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* How often something was printed, to compare runs. */
extern uint64_t output_calls;

/* What was printed on standard output does not end with a newline. */
extern bool output_line_is_open;

/* The number of bytes, or -1. */
int output_print(FILE *stream, const char *format, va_list list, const void *return_address);

/* As write does, of bytes that were announced. */
ssize_t output_write(int descriptor, const void *data, size_t size, const void *return_address);

/* The same; it announces them. */
ssize_t output_write_from(int descriptor, const void *data, size_t size,
                          const void *return_address);

#endif
