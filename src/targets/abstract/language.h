/* The readable notation of abstract programs, for files *.heddle. docs/LANGUAGE.md describes it.
 *
 * How it is built: lexer.c makes tokens; language.c reads the declarations, skipping the bodies of
 * threads, and then compiles each body once per copy of its thread, so that threads can name each
 * other in any order and the index of a copy is a constant in it. There is no syntax tree: code is
 * emitted while parsing (language_expression.c, language_statement.c, language_control.c). */
#ifndef HEDDLE_TARGETS_ABSTRACT_LANGUAGE_H
#define HEDDLE_TARGETS_ABSTRACT_LANGUAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "targets/abstract/parse_error.h"
#include "targets/abstract/program.h"

/* The value of a parameter, given from outside. */
typedef struct definition {
    const char *name; /* name_length characters */
    size_t name_length;
    int64_t value;
} definition;

/* From "NAME=NUMBER" or "NAME" (which means 1), what follows -D on a command line; false if it is
 * neither. The definition points into the text. */
bool definition_parse(definition *, const char *text);

/* Initialises the program and fills it from the text of `file`. If the text is wrong: false, the
 * error says where and why, and the program is empty and released (program_free is harmless). A
 * definition that names no parameter is an error without a place (line 0). Of two definitions of
 * one name the last counts. */
bool language_parse(program *, const char *file, const char *text, const definition *definitions,
                    uint32_t definition_count, parse_error *);

#endif
