/* Where a text in one of the notations is wrong, and how: what was expected and what was found.
 *
 * A value, not a message on a stream: the command line and the tests decide what becomes of it. */
#ifndef HEDDLE_TARGETS_ABSTRACT_PARSE_ERROR_H
#define HEDDLE_TARGETS_ABSTRACT_PARSE_ERROR_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include "base/check.h"

typedef struct parse_error {
    uint32_t line, column; /* both from 1; 0 if the error has no place in the text */
    char message[256];
} parse_error;

/* A message that is too long is cut. */
__attribute__((format(printf, 4, 0))) static inline void parse_error_set(
    parse_error *error, uint32_t line, uint32_t column, const char *format, va_list arguments) {
    error->line = line;
    error->column = column;
    vsnprintf(error->message, sizeof error->message, format, arguments);
}

/* Moves over one character of the text, and counts lines and columns. */
static inline void parse_advance(const char **next, uint32_t *line, uint32_t *column) {
    CHECK(**next != 0);
    ++*column;
    if (*(*next)++ == '\n') {
        ++*line;
        *column = 1;
    }
}

#endif
