/* The environment: what the program changes of it with setenv and its relatives. */
#ifndef HEDDLE_TARGETS_RUNTIME_LIBC_VARIABLES_H
#define HEDDLE_TARGETS_RUNTIME_LIBC_VARIABLES_H

#include <stdbool.h>
#include <stdint.h>

enum { VARIABLES_MAX = 64, VARIABLES_ROOM = 8192, VARIABLES_ALL = 1024 };

/* The latest change of a name counts. */
typedef struct variable_change {
    const char *text; /* "NAME=value" */
    bool removed;
} variable_change;

typedef struct variable_changes {
    bool cleared; /* nothing of heddle's own environment is left */
    uint32_t count, used;
    variable_change items[VARIABLES_MAX];
    char room[VARIABLES_ROOM];
    const char *all[VARIABLES_ALL]; /* for `environ`, with a NULL at its end */
} variable_changes;

/* When the program was loaded: its variable `environ`, which has heddle's value; or NULL. */
void variables_open(char ***place);

/* The name of a variable of heddle's environment that the program has asked for, by number; NULL:
 * there are no more. */
const char *variables_asked(uint32_t number);

/* The program can see all variables, in `environ`. */
bool variables_are_shown(void);

#endif
