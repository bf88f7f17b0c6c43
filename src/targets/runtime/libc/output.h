/* Formatted output to a stream, for models of functions that print. */
#ifndef HEDDLE_TARGETS_RUNTIME_LIBC_OUTPUT_H
#define HEDDLE_TARGETS_RUNTIME_LIBC_OUTPUT_H

#include <stdarg.h>
#include <stdio.h>

/* The number of bytes, or -1. */
int output_print(FILE *stream, const char *format, va_list list, const void *return_address);

#endif
