/* One option, and the functions that its kind of value needs. The rows of the table are those of
 * base/options.def. */
#ifndef HEDDLE_CLI_OPTION_TABLE_H
#define HEDDLE_CLI_OPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/options.h"

enum value_rule { VALUE_NONE, VALUE_OPTIONAL, VALUE_REQUIRED };

typedef struct option option;

struct option {
    const char *name;
    char letter; /* of the short form, or 0 */
    enum value_rule rule;
    const char *value_name; /* for the help */
    unsigned commands;      /* set of enum command */
    /* Stores the value; false: `message` says what was expected. */
    bool (*apply)(void *field, const option *, const char *value, text *message);
    size_t field;      /* offset in settings */
    const char *fixed; /* the value of an alias */
    const char *help;
};

/* Not an option: no command has it, and its help is the heading of the options after it. */
static inline bool option_is_heading(const option *o) {
    return o->commands == 0;
}

/* It can affect the result of an exploration. */
bool option_matters(const option *);

/* Passed to the compiler unchanged: -Wall, -std=c11, … */
bool option_passes_through(const char *argument);
/* Such a flag whose path is the next argument. */
bool option_lacks_path(const char *argument);

extern const option option_table[];
extern const uint32_t option_count;

#endif
