/* Several choices that are made one after the other, encoded as one number: the first one is its
 * lowest digit. How many alternatives a choice has may depend on those before it, so that the paths
 * form a tree; choice_path_next iterates over its leaves.
 *
 * Atomic sections of both targets are run again for each leaf, and are one step that has all of
 * them as its alternatives. */
#ifndef HEDDLE_BASE_CHOICE_PATH_H
#define HEDDLE_BASE_CHOICE_PATH_H

#include "base/vector.h"

/* The largest number of alternatives of one step. */
enum { CHOICE_PATH_ALTERNATIVES = 65536 };

typedef struct path_choice {
    uint32_t chosen, count;
} path_choice;

/* Begins as zeroes. */
typedef struct choice_path {
    VECTOR(path_choice) choices;
    uint32_t used; /* by the current run */
    uint32_t left; /* the rest of the number, for choices after those that are known */
} choice_path;

/* The path of that number, none of whose choices is known yet. */
void choice_path_start(choice_path *, uint32_t number);

/* The next choice of a run, out of `count`. A run begins with `used` set to 0. */
uint32_t choice_path_choose(choice_path *, uint32_t count);

/* The number of the path that was run. False: there are too many paths for a number. */
bool choice_path_number(const choice_path *, uint32_t *number);

/* The next path in order that begins with the same `decided` choices; false after the last one. */
bool choice_path_next(choice_path *, uint32_t decided);

void choice_path_free(choice_path *);

#endif
