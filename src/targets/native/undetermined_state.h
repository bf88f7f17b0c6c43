/* The state of a path, for undetermined_paths.c: the values with which it is taken, and what is
 * known about the names. */
#ifndef HEDDLE_TARGETS_NATIVE_UNDETERMINED_STATE_H
#define HEDDLE_TARGETS_NATIVE_UNDETERMINED_STATE_H

#include "targets/native/gimple.h"
#include "targets/native/value_set.h"

enum { PATH_NAMES_MAX = 16 };

/* The value itself; true for these values and false (0) for others; a number. */
enum known_kind { KNOWN_VALUE = 1, KNOWN_TRUTH, KNOWN_NUMBER };

typedef struct known_name {
    char name[GIMPLE_NAME_SIZE];
    enum known_kind kind;
    value_set when;
    wide_integer number;
} known_name;

typedef struct path_state {
    uint32_t block, at; /* the next statement */
    unsigned previous;  /* number of the block before */
    value_set values;
    char memory[GIMPLE_NAME_SIZE]; /* the variable that holds the value, or "" */
    bool failed;                   /* too much would have to be known */
    uint32_t count;
    known_name items[PATH_NAMES_MAX];
} path_state;

const known_name *path_known(const path_state *, const char *name, size_t length);
void path_learn(path_state *, const char *name, size_t length, const known_name *);
void path_forget(path_state *, const char *name, size_t length);

/* What a word is: a name that is known, or a number; false: neither. */
bool path_operand(const path_state *, const char *text, size_t length, known_name *);

/* "a < b", "a & b", "(int) a", "a", and no more: what that is; false: not known. */
bool path_evaluate(const path_state *, const char *text, known_name *);

/* The first name in the text that is known as this; or NULL. */
const known_name *path_mentions(const path_state *, const char *text, enum known_kind);

/* A word of the text is this name. */
bool path_names(const char *text, const char *name);

#endif
