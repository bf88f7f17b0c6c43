/* Objects of footprints that are no cells of the program: each is known by what it stands for, a
 * kind and two numbers, and gets its object number when it is first asked for. Numbers stay for
 * ever, so equivalent executions show equal ones, whatever was explored before. */
#ifndef HEDDLE_TARGETS_ABSTRACT_NAMES_H
#define HEDDLE_TARGETS_ABSTRACT_NAMES_H

#include <stdint.h>

#include "base/hash_index.h"
#include "base/vector.h"

enum name_kind {
    NAME_ORDER,   /* the order of all messages to thread a */
    NAME_ANY,     /* that there is a message to thread a */
    NAME_TAG,     /* that there is a message to thread a with tag b */
    NAME_MESSAGE, /* the message that thread a sent as its step number b */
    /* Not in footprints, only for people: */
    NAME_ANYTHING, /* the pattern that matches everything */
    NAME_PATTERN,  /* the pattern a (or nothing, if that is 0) with tag b besides */
    NAME_OUTSIDE,  /* element b of the array that starts at cell a, which has not that many */
    NAME_WAIT,     /* what thread a waits for, and what it finds instead: pattern b */
};

typedef struct name {
    enum name_kind kind;
    uint32_t a;
    int64_t b;
} name;

typedef struct name_table {
    VECTOR(name) names;
    hash_index numbers;
} name_table;

/* The index of a name, in the order in which names were first asked for. */
uint32_t name_number(name_table *, name);

void name_table_free(name_table *);

#endif
