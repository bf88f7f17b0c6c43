/* The command line. Every option is declared once, in the table of options.c, from which the
 * parser, the help text and the option section of the manual page follow. */
#ifndef HEDDLE_CLI_OPTIONS_H
#define HEDDLE_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/vector.h"
#include "explore/exploration.h"
#include "report/text.h"

typedef VECTOR(const char *) string_list;
typedef VECTOR(text) text_list;

/* Of --name[=VALUE]. */
typedef struct optional_value {
    bool given;
    const char *value; /* NULL if it was given without */
} optional_value;

typedef struct first_choice {
    enum first_policy policy;
    uint64_t seed;
} first_choice;

typedef struct options {
    const char *algorithm; /* NULL: the default */
    const char *program;
    const char *batch;
    const char *schedule;
    const char *compiler;
    string_list definitions;
    text_list flags; /* for the compiler, as it takes them: "-Iinclude" */
    first_choice first;
    bool keep_going;
    bool no_progress;
    bool full;
    bool no_race_check;
    bool optimize;   /* C files: the faithful -O1 */
    bool sequential; /* --sc: the only memory model there is */
    uint64_t max_steps;
    uint64_t max_executions;
    uint64_t max_seconds;
    uint64_t watchdog; /* seconds for a step; 0: the default */
    bool exit_status;
    optional_value json;
    optional_value help;
    string_list operands;  /* files */
    string_list arguments; /* what follows -- */
} options;

/* Commands that take an option; a set. */
enum command { COMMAND_CHECK = 1, COMMAND_REPLAY = 2 };

/* Strings of argv are kept, not copied. False: what is wrong, and what to do, is in `message`. */
bool options_parse(options *, enum command, int argc, char **argv, text *message);
void options_free(options *);

/* Prints a name and what it means, in two columns; `name` includes its indentation. */
void help_print(const char *name, const char *meaning, FILE *out);

/* The options of a command as a table for --help, and as source of the manual page. */
void options_print_help(enum command, FILE *out);
void options_print_manual(enum command, FILE *out);

#endif
