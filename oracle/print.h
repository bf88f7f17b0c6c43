/* Writes a sketch down as a program: in one line if that notation can say it, else in the .heddle
 * language. Either way the parsers of the model read it back. */
#ifndef HEDDLE_ORACLE_PRINT_H
#define HEDDLE_ORACLE_PRINT_H

#include <stdbool.h>
#include <stddef.h>

#include "oracle/sketch.h"
#include "targets/abstract/parse_error.h"
#include "targets/abstract/program.h"

#define PRINT_SIZE 8192

typedef struct printed {
    size_t length;
    char text[PRINT_SIZE];
} printed;

void print_sketch(const sketch *, printed *);

/* In the language, even if one line would do: for comparing the two. */
void print_language(const sketch *, printed *);

/* Makes one line of a program: the language does not care. */
void print_flatten(char *text);

/* Parses a program in either notation. */
bool print_parse(program *, const char *text, parse_error *);

#endif
