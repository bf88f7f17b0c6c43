/* The functions of a dump of gcc, where every value that is not in memory has a name of its own. */
#ifndef HEDDLE_TARGETS_NATIVE_GIMPLE_H
#define HEDDLE_TARGETS_NATIVE_GIMPLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vector.h"

enum { GIMPLE_NAME_SIZE = 64 };

/* Of a word: a name, a number. 0: the text begins with something else. */
size_t gimple_word_length(const char *text);

/* "x_7", "_7" or "x.0_7", but not the member "x.y_7". */
bool gimple_is_value(const char *text, size_t length);

/* "[file:line:col] " wherever it stands is removed; the first one is kept. */
void gimple_strip_places(char *line, unsigned *row, unsigned *column);

typedef struct gimple_statement {
    char *text; /* without blanks at its ends, and without "(D)" */
    unsigned row, column;
} gimple_statement;

typedef struct gimple_block {
    unsigned number;
    uint32_t first, end; /* its statements */
} gimple_block;

/* "int n;": of all values whose names begin with that variable's, or of "_7" alone. */
typedef struct gimple_variable {
    char type[GIMPLE_NAME_SIZE], name[GIMPLE_NAME_SIZE];
} gimple_variable;

typedef struct gimple_function {
    char name[GIMPLE_NAME_SIZE];
    char parameter[GIMPLE_NAME_SIZE]; /* its first value, if it has one parameter that is used */
    char only[GIMPLE_NAME_SIZE];      /* the parameter itself */
    VECTOR(gimple_variable) variables;
    VECTOR(gimple_block) blocks;
    VECTOR(gimple_statement) statements;
} gimple_function;

typedef VECTOR(gimple_function) gimple_functions;

void gimple_read(const char *dump, gimple_functions *);
void gimple_free(gimple_functions *);

const gimple_function *gimple_find(const gimple_functions *, const char *name, size_t length);

/* The type of the value, or NULL if it is not known: there may be several variables of one name. */
const char *gimple_type(const gimple_function *, const char *value);

/* The place of the block in the list, or the number of blocks if there is none. */
uint32_t gimple_block_at(const gimple_function *, unsigned number);

#endif
