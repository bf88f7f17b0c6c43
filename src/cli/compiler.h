/* Compilers that a schedule or checkpoint names. */
#ifndef HEDDLE_CLI_COMPILER_H
#define HEDDLE_CLI_COMPILER_H

#include <stdbool.h>

#include "base/settings.h"
#include "base/text.h"

/* A compiler that a file names, and flags that may run something else, are used only if the user
 * names the compiler too. `file` is for the message: "schedule". */
bool compiler_is_allowed(const settings *wanted, const settings *recorded, const char *file,
                         text *message);

#endif
