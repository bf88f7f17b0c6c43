/* Functions that heddle does not control are called through thunks, which record that they were
 * reached (sites.h): the linker's --wrap replaces every reference by the thunk.
 *
 * Rejected: naming every function that the program could call; most programs contain calls that
 * their tests never make. */
#ifndef HEDDLE_TARGETS_NATIVE_THUNKS_H
#define HEDDLE_TARGETS_NATIVE_THUNKS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "targets/native/objects.h"

typedef struct thunks {
    FILE *assembly; /* thunks and records */
    FILE *linker;   /* flags */
    uint32_t count;
} thunks;

/* A symbol that no object defines and of which heddle knows nothing. `libraries`: the program is
 * linked with libraries of its own. */
void thunks_add_unknown(thunks *, const object_symbol *, bool libraries);

/* What objects define that heddle did not compile; `input` is the name of the file. */
bool thunks_add_foreign(thunks *, const char *path, const char *input, const object_symbols *);

#endif
