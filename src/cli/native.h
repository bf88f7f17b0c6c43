/* C programs: sources, objects, archives, or what `heddle cc` linked. */
#ifndef HEDDLE_CLI_NATIVE_H
#define HEDDLE_CLI_NATIVE_H

#include <stdbool.h>

#include "cli/load.h"

/* Builds the program into the directory, or finds that it is already built; false: `message` says
 * why not. */
bool native_prepare(const settings *, const char *directory, char *path, text *message);

/* Loads what was built. */
bool native_load(loaded *, const settings *, const char *path, text *message);

#endif
