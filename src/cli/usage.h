/* The help texts. */
#ifndef HEDDLE_CLI_USAGE_H
#define HEDDLE_CLI_USAGE_H

#include <stdio.h>

#include "cli/options.h"

/* heddle --help */
void usage_print_all(FILE *out);

/* heddle COMMAND --help[=roff]; returns the exit status. */
int usage_print(enum command, const settings *);

#endif
