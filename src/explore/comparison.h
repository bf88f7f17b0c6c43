/* Does another order of some steps lead to the same state? */
#ifndef HEDDLE_EXPLORE_COMPARISON_H
#define HEDDLE_EXPLORE_COMPARISON_H

#include "core/dontdo.h"
#include "explore/exploration.h"

typedef struct comparison {
    VECTOR(char) reference, state;
} comparison;

void comparison_free(comparison *);

/* The state after the first `length` events and then `steps`, whose footprints are filled in.
 * False if some step cannot be taken there. */
bool comparison_run(exploration *, uint32_t length, sleeper *steps, uint32_t count);

/* Keeps the state in which the target stands, as what others are compared with. */
void comparison_keep(comparison *, exploration *);

/* The state in which the target stands equals the one that was kept. */
bool comparison_holds(comparison *, exploration *);

#endif
