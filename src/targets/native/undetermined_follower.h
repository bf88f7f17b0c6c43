/* Follows the paths of a function from a value on (undetermined_paths.h). */
#ifndef HEDDLE_TARGETS_NATIVE_UNDETERMINED_FOLLOWER_H
#define HEDDLE_TARGETS_NATIVE_UNDETERMINED_FOLLOWER_H

#include "targets/native/undetermined_paths.h"
#include "targets/native/undetermined_state.h"

typedef struct follower {
    const gimple_functions *functions;
    const gimple_function *function;
    uint32_t start; /* the statement of the call; none: a parameter is followed */
    char value[GIMPLE_NAME_SIZE];
    VECTOR(path_state) states; /* all that occurred; from `next` on they are to be followed */
    uint32_t next;
    VECTOR(value_set) classes;    /* of which one stands for all */
    value_set needed;             /* of which each counts */
    VECTOR(const char *) pointed; /* variables in memory whose names look like values */
    bool failed, returns, alone;
} follower;

/* All paths from there. */
void follower_run(follower *, const path_state *first);
void follower_end(follower *);

/* The word is the name of a value, not of a variable in memory. */
bool follower_is_value(const follower *, const char *text, size_t length);

#endif
