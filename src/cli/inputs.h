/* Whether a program that is explored further would read the same as before: environment variables,
 * its standard input, files (base/inputs.h). */
#ifndef HEDDLE_CLI_INPUTS_H
#define HEDDLE_CLI_INPUTS_H

#include "cli/stretch.h"

/* If not, `message` names the first difference. A standard input that is a pipe is read to its end,
 * and becomes a file without a name that every worker can read. */
bool inputs_are_same(const stretch_list *, text *message);

#endif
