/* The functions of a dump of gcc, where every value that is not in memory has a name of its own. */
#ifndef HEDDLE_TARGETS_NATIVE_GIMPLE_H
#define HEDDLE_TARGETS_NATIVE_GIMPLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vector.h"

enum { GIMPLE_NAME_SIZE = 64, GIMPLE_FILE_SIZE = 240 };

/* Of a word: a name, a number. 0: the text begins with something else. */
size_t gimple_word_length(const char *text);

/* "x_7", "_7" or "x.0_7", but not the member "x.y_7": a value, or a variable that is called so. */
bool gimple_has_version(const char *text, size_t length);

/* One that is shorter than GIMPLE_NAME_SIZE. */
bool gimple_is_value(const char *text, size_t length);

/* Where a statement stands in the source; row 0: that is not known. */
typedef struct gimple_place {
    char file[GIMPLE_FILE_SIZE]; /* "" if its name is too long */
    unsigned row, column;
} gimple_place;

/* What is called for the parts of a dump, in their order. NULL: nothing. */
typedef struct gimple_visitor {
    void (*function)(void *context, const char *line);    /* one begins: ";; Function f (" */
    void (*declaration)(void *context, const char *line); /* before the first block */
    void (*block)(void *context, unsigned number);
    void (*statement)(void *context, char *line, const gimple_place *); /* places are removed */
} gimple_visitor;

/* A dump of gcc (-fdump-tree-tsan0-lineno); if there is none, nothing is called. */
void gimple_visit(const char *dump, const gimple_visitor *, void *context);

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
