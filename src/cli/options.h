/* The command line. Every option is declared once, in base/options.def, from which the
 * parser, the help text and the option section of the manual page follow. */
#ifndef HEDDLE_CLI_OPTIONS_H
#define HEDDLE_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/settings.h"
#include "base/text.h"

/* Commands that take an option; a set. */
enum command {
    COMMAND_CHECK = 1,
    COMMAND_REPLAY = 2,
    COMMAND_EXPLAIN = 4,
    COMMAND_SPLIT = 8,
    COMMAND_MERGE = 16,
};

/* Strings of argv are kept, not copied. False: what is wrong, and what to do, is in `message`. */
bool options_parse(settings *, enum command, int argc, char **argv, text *message);

/* Prints a name and what it means, in two columns; `name` includes its indentation. */
void help_print(const char *name, const char *meaning, FILE *out);

/* The options of a command as a table for --help, and as source of the manual page. */
void options_print_help(enum command, FILE *out);
void options_print_manual(enum command, FILE *out);

#endif
