/* What the user wants: one struct, from the option table (cli/option_table.c) down to the runtime.
 * An option is a row of that table, a field here, and its one use.
 *
 * The strings are borrowed: from the command line, or from the text of a schedule file, which tells
 * what it is a schedule of in the same struct. */
#ifndef HEDDLE_BASE_SETTINGS_H
#define HEDDLE_BASE_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vector.h"

typedef VECTOR(const char *) string_list;

/* Of --name[=VALUE]. */
typedef struct optional_value {
    bool given;
    const char *value; /* NULL if it was given without */
} optional_value;

/* How a thread is picked where the strategy leaves it open. */
enum first_policy { FIRST_LOWEST, FIRST_HIGHEST, FIRST_ROUND_ROBIN, FIRST_RANDOM };

typedef struct first_choice {
    enum first_policy policy;
    uint64_t seed;
} first_choice;

/* --svcomp: the property of SV-COMP that is checked. */
enum svcomp_property {
    SVCOMP_OFF,
    SVCOMP_UNREACH_CALL,
    SVCOMP_NO_DATA_RACE,
    SVCOMP_NO_DEADLOCK,
    SVCOMP_VALID_MEMSAFETY,
};

/* The word of a property, and the property of a word; SVCOMP_OFF if there is none. */
const char *svcomp_word(enum svcomp_property);
enum svcomp_property svcomp_property_of(const char *word);

/* What blocks that are lost at the end of a C program are. */
enum leaks { LEAKS_WARN, LEAKS_IGNORE, LEAKS_ERROR };

typedef struct settings {
    /* What is checked. */
    string_list files;
    const char *program; /* a one-line program, or NULL */
    const char *batch;   /* a file of them, or NULL */
    const char *origin;  /* the file that the one-line program stands in, and its line; or NULL */
    uint32_t origin_line;
    const char *folder;      /* that names of files are relative to; NULL: unknown */
    string_list definitions; /* "N=5" */
    string_list arguments;   /* of the program */

    /* How a C program is built. */
    const char *compiler;     /* NULL: gcc */
    bool optimize;            /* the faithful -O1 */
    string_list flags;        /* for the compiler, as it takes them: "-Iinclude" */
    VECTOR(char *) own_flags; /* those that were put together */

    /* How it is run. */
    bool no_race_check;
    bool allow_files; /* the program may change files */
    bool exit_status; /* ending with a status other than 0 is an error */
    enum svcomp_property svcomp;
    enum leaks leaks;
    bool echo;            /* the program's output is let through: a replay */
    uint64_t watchdog_ms; /* for a step; 0: the default */

    /* How it is explored. */
    const char *algorithm; /* NULL: the default */
    first_choice first;
    bool keep_going;
    bool sequential; /* --sc: the only memory model there is */
    uint64_t max_steps;
    uint64_t max_executions;
    uint64_t time_limit_ms; /* 0: none */
    uint64_t memory_limit;  /* in bytes; 0: three quarters of the machine's */

    /* What is reported, and where. */
    optional_value json;
    const char *schedule;
    bool full;
    bool no_progress;
    optional_value help;
} settings;

enum { WATCHDOG_MS = 5000 };

/* Whether data races are looked for. */
static inline bool settings_race_check(const settings *s) {
    return !s->no_race_check && (s->svcomp == SVCOMP_OFF || s->svcomp == SVCOMP_NO_DATA_RACE);
}

static inline uint32_t settings_watchdog_ms(const settings *s) {
    uint64_t wanted = s->watchdog_ms ? s->watchdog_ms : WATCHDOG_MS;
    return wanted < UINT32_MAX ? (uint32_t)wanted : UINT32_MAX;
}

void settings_free(settings *);

/* Over all that it says: whoever holds a copy can find out whether it is still the same. */
uint64_t settings_checksum(const settings *);

/* A flag that is put together of two parts. */
void settings_add_flag(settings *, const char *first, const char *second);

#endif
