/* The user's settings: one struct, from the table of options (base/options.def) down to the
 * runtime. An option is a row of that table, from which its field here follows, and its one use.
 *
 * The strings are borrowed: from the command line, or from the text of a schedule file, whose
 * program and options use the same struct. */
#ifndef HEDDLE_BASE_SETTINGS_H
#define HEDDLE_BASE_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory_model.h"
#include "base/vector.h"

typedef VECTOR(const char *) string_list;
typedef VECTOR(char *) word_list; /* that owns its strings */

/* Of --name[=VALUE]. */
typedef struct optional_value {
    bool given;
    const char *value; /* NULL if it was given without */
} optional_value;

typedef struct optional_number {
    bool given;
    uint64_t number;
} optional_number;

/* How a thread is picked where the strategy leaves it open. */
enum first_policy { FIRST_USUAL, FIRST_LOWEST, FIRST_HIGHEST, FIRST_ROUND_ROBIN, FIRST_RANDOM };

typedef struct first_choice {
    enum first_policy policy;
    uint64_t seed;
} first_choice;

/* How random executions are chosen. */
enum sampling_method {
    SAMPLING_OFF,
    SAMPLING_POS,
    SAMPLING_WALK,
    SAMPLING_PCT,
    SAMPLING_POLICY, /* as `first` orders the threads; for looks ahead (explore/scout.h) */
};

typedef struct sampling_choice {
    enum sampling_method method;
    uint32_t depth; /* of SAMPLING_PCT */
} sampling_choice;

/* Whether reports have colours; COLOR_AUTO: on a terminal. */
enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

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

/* How to treat blocks that are lost at the end of a C program. */
enum leaks { LEAKS_WARN, LEAKS_IGNORE, LEAKS_ERROR };

/* How to treat accesses to volatile variables. */
enum volatiles { VOLATILES_PLAIN, VOLATILES_ATOMIC };

/* When waits with a time-out end without getting what they wait for. */
enum timeouts { TIMEOUTS_IDLE, TIMEOUTS_MAY, TIMEOUTS_NEVER };

typedef struct settings {
#define OPTION(type, field, ...)  type field;
#define WRITER(name, ...)         const char *name; /* the file; NULL: none */
#define REPORT(name, ...)         const char *name;
#define PRINTED_REPORT(name, ...) optional_value name;
#include "base/options.def"

    string_list files;  /* what is checked */
    const char *origin; /* the file that contains the one-line program, and its line; or NULL */
    uint32_t origin_line;
    const char *contents;  /* the text of the one file, if it cannot be read here; or NULL */
    const char *directory; /* that names of files are relative to; NULL: unknown */
    string_list arguments; /* of the program */
    string_list flags;     /* for the compiler, as it takes them: "-Iinclude" */
    string_list whole;     /* those of the files that are archives to be linked completely */
    word_list own_flags;   /* strings that were concatenated */
    word_list words;       /* the arguments, options and files, that can affect the */
    word_list other_words; /* result; and the other options */
    bool echo;             /* the program's output is passed on: a replay */
    bool several;          /* other processes run the program, too */
    bool debugged;         /* a debugger runs it, and decides how long a step may take */
} settings;

enum { WATCHDOG_MS = 5000 };

/* Whether data races are detected. */
static inline bool settings_race_check(const settings *s) {
    return !s->no_race_check && (s->svcomp == SVCOMP_OFF || s->svcomp == SVCOMP_NO_DATA_RACE);
}

/* Whether waits for conditions return without a signal: programs of SV-COMP are judged by POSIX,
 * which permits that. */
static inline bool settings_spurious(const settings *s) {
    return s->spurious || s->svcomp != SVCOMP_OFF;
}

/* 0: no limit. */
static inline uint32_t settings_watchdog_ms(const settings *s) {
    uint64_t wanted = s->debugged ? 0 : s->watchdog_ms ? s->watchdog_ms : WATCHDOG_MS;
    return wanted < UINT32_MAX ? (uint32_t)wanted : UINT32_MAX;
}

void settings_free(settings *);

/* A checksum of all settings: the owner of a copy can find out whether it has changed. */
uint64_t settings_checksum(const settings *);

/* Words and flags that are concatenated from two parts. */
void settings_add_word(word_list *, const char *first, const char *second);
void settings_add_flag(settings *, const char *first, const char *second);

#endif
