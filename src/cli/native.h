/* C programs: sources, objects, archives, or what `heddle cc` linked. */
#ifndef HEDDLE_CLI_NATIVE_H
#define HEDDLE_CLI_NATIVE_H

#include <stdbool.h>

#include "cli/load.h"

/* Builds and loads the program; false: `message` says why not. */
bool native_load(loaded *, const settings *, text *message);

bool native_is_stale(target *);

#endif
