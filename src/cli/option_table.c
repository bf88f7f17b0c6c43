#include "cli/option_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- kinds of values ---- */

static bool set_flag(void *field, const option *o, const char *value, text *message) {
    (void)o, (void)value, (void)message;
    *(bool *)field = true;
    return true;
}

static bool parse_number(const char *value, uint64_t *number) {
    char *end;
    errno = 0;
    *number = strtoull(value, &end, 10);
    return text_is_digit(*value) && *end == '\0' && errno == 0;
}

static bool set_bound(void *field, const option *o, const char *value, text *message) {
    uint64_t number;
    if (!parse_number(value, &number) || number == 0) {
        text_format(message, "--%s=%s: expected a positive integer", o->name, value);
        return false;
    }
    *(uint64_t *)field = number;
    return true;
}

/* 0 is allowed. */
static bool set_number(void *field, const option *o, const char *value, text *message) {
    optional_number *given = field;
    given->given = parse_number(value, &given->number);
    if (!given->given) {
        text_format(message, "--%s=%s: expected 0 or a positive integer", o->name, value);
    }
    return given->given;
}

/* A number of seconds, kept as milliseconds. */
static bool set_seconds(void *field, const option *o, const char *value, text *message) {
    uint64_t seconds = 0;
    bool good = set_bound(&seconds, o, value, message);
    *(uint64_t *)field = seconds < UINT64_MAX / 1000 ? seconds * 1000 : UINT64_MAX;
    return good;
}

/* "10s", "5m", "2h", kept as milliseconds. */
static bool set_duration(void *field, const option *o, const char *value, text *message) {
    char *end = (char *)value;
    errno = 0;
    uint64_t number = text_is_digit(*value) ? strtoull(value, &end, 10) : 0;
    uint64_t factor = strcmp(end, "s") == 0 || !*end ? 1000
                      : strcmp(end, "m") == 0        ? 60 * 1000
                      : strcmp(end, "h") == 0        ? 3600 * 1000
                                                     : 0;
    if (errno || !number || !factor || number > UINT64_MAX / factor) {
        text_format(message, "--%s=%s: expected a time such as 10s, 5m or 2h", o->name, value);
        return false;
    }
    *(uint64_t *)field = number * factor;
    return true;
}

/* "500k", "64M", "2G", "1T", kept as bytes. */
static bool set_size(void *field, const option *o, const char *value, text *message) {
    static const char units[] = "kMGT";
    char *end = (char *)value;
    errno = 0;
    uint64_t number = text_is_digit(*value) ? strtoull(value, &end, 10) : 0;
    const char *unit = *end ? strchr(units, *end == 'K' ? 'k' : *end) : NULL;
    unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    if (errno || !number || (*end && (!unit || end[1])) || number > UINT64_MAX >> shift) {
        text_format(message, "--%s=%s: expected a size such as 500M or 2G", o->name, value);
        return false;
    }
    *(uint64_t *)field = number << shift;
    return true;
}

static bool set_digits(void *field, const option *o, const char *value, text *message) {
    if (!*value || !text_is_hexadecimal(value)) {
        text_format(message, "--%s=%s: expected two hexadecimal digits for each byte", o->name,
                    value);
        return false;
    }
    *(const char **)field = value;
    return true;
}

static bool set_string(void *field, const option *o, const char *value, text *message) {
    if (!*value) {
        text_format(message, "--%s: expected %s after \"=\"", o->name, o->value_name);
        return false;
    }
    *(const char **)field = value;
    return true;
}

static bool set_alias(void *field, const option *o, const char *value, text *message) {
    (void)value, (void)message;
    *(const char **)field = o->fixed;
    return true;
}

static bool set_optional(void *field, const option *o, const char *value, text *message) {
    (void)o, (void)message;
    *(optional_value *)field = (optional_value){.given = true, .value = value};
    return true;
}

static bool add_string(void *field, const option *o, const char *value, text *message) {
    (void)o, (void)message;
    vector_push((string_list *)field, value);
    return true;
}

/* The field is the whole struct, which owns the text of a concatenated flag. */
static bool add_flag(void *field, const option *o, const char *value, text *message) {
    (void)message;
    settings_add_flag(field, o->fixed, value);
    return true;
}

static bool set_model(void *field, const option *o, const char *value, text *message) {
    if (!memory_model_of(value, field)) {
        text_format(message, "--%s=%s: expected sc, tso, ra or rc11", o->name, value);
        return false;
    }
    return true;
}

static bool set_model_alias(void *field, const option *o, const char *value, text *message) {
    (void)value;
    return set_model(field, o, o->fixed, message);
}

static bool set_first(void *field, const option *o, const char *value, text *message) {
    static const char *const words[] = {[FIRST_USUAL] = "usual",
                                        [FIRST_LOWEST] = "lowest",
                                        [FIRST_HIGHEST] = "highest",
                                        [FIRST_ROUND_ROBIN] = "round-robin"};
    static const char random[] = "random:";
    first_choice *first = field;
    uint32_t count = sizeof words / sizeof *words, policy = text_find(value, words, count);
    if (policy < count) {
        *first = (first_choice){.policy = policy};
        return true;
    }
    if (text_starts(value, random) && parse_number(value + strlen(random), &first->seed)) {
        first->policy = FIRST_RANDOM;
        return true;
    }
    text_format(message, "--%s=%s: expected usual, lowest, highest, round-robin or random:SEED",
                o->name, value);
    return false;
}

static bool set_random(void *field, const option *o, const char *value, text *message) {
    static const char pct[] = "pct:";
    sampling_choice *chosen = field;
    uint64_t depth = 3; /* enough for most bugs */
    bool is_pct = value && (strcmp(value, "pct") == 0 ||
                            (text_starts(value, pct) && parse_number(value + strlen(pct), &depth) &&
                             depth && depth <= 1000));
    *chosen = (sampling_choice){.method = !value || strcmp(value, "pos") == 0 ? SAMPLING_POS
                                          : strcmp(value, "walk") == 0        ? SAMPLING_WALK
                                          : is_pct                            ? SAMPLING_PCT
                                                                              : SAMPLING_OFF,
                                .depth = (uint32_t)depth};
    if (!chosen->method) {
        text_format(message, "--%s=%s: expected pos, walk, pct or pct:DEPTH (1 to 1000)", o->name,
                    value);
    }
    return chosen->method != SAMPLING_OFF;
}

static bool set_svcomp(void *field, const option *o, const char *value, text *message) {
    enum svcomp_property property = value ? svcomp_property_of(value) : SVCOMP_UNREACH_CALL;
    *(enum svcomp_property *)field = property;
    if (property == SVCOMP_OFF) {
        text_format(message,
                    "--%s=%s: expected unreach-call, no-data-race, no-deadlock or valid-memsafety",
                    o->name, value);
    }
    return property != SVCOMP_OFF;
}

/* The number of the word among those that are `expected`. */
static bool find_word(const option *o, const char *value, const char *const *words, uint32_t count,
                      const char *expected, uint32_t *found, text *message) {
    *found = text_find(value, words, count);
    if (*found == count) {
        text_format(message, "--%s=%s: expected %s", o->name, value, expected);
    }
    return *found < count;
}

static bool set_leaks(void *field, const option *o, const char *value, text *message) {
    static const char *const words[] = {
        [LEAKS_WARN] = "warn", [LEAKS_IGNORE] = "ignore", [LEAKS_ERROR] = "error"};
    uint32_t found;
    bool known = find_word(o, value, words, 3, "ignore, warn or error", &found, message);
    *(enum leaks *)field = found;
    return known;
}

static bool set_volatiles(void *field, const option *o, const char *value, text *message) {
    static const char *const words[] = {[VOLATILES_PLAIN] = "plain", [VOLATILES_ATOMIC] = "atomic"};
    uint32_t found;
    bool known = find_word(o, value, words, 2, "plain or atomic", &found, message);
    *(enum volatiles *)field = found;
    return known;
}

static bool set_timeouts(void *field, const option *o, const char *value, text *message) {
    static const char *const words[] = {
        [TIMEOUTS_IDLE] = "idle", [TIMEOUTS_MAY] = "may", [TIMEOUTS_NEVER] = "never"};
    uint32_t found;
    bool known = find_word(o, value, words, 3, "idle, may or never", &found, message);
    *(enum timeouts *)field = found;
    return known;
}

static bool set_color(void *field, const option *o, const char *value, text *message) {
    static const char *const words[] = {
        [COLOR_AUTO] = "auto", [COLOR_ALWAYS] = "always", [COLOR_NEVER] = "never"};
    uint32_t found;
    bool known = find_word(o, value, words, 3, "auto, always or never", &found, message);
    *(enum color *)field = found;
    return known;
}

/* ---- the table ---- */

#define FIELD(name) offsetof(settings, name)

const option option_table[] = {
#define GROUP(title) {.name = "", .help = title},
#define OPTION(type, field, name, letter, rule, value_name, commands, apply, help) \
    {name, letter, rule, value_name, commands, apply, FIELD(field), NULL, help},
#define ALIAS(place, name, letter, rule, value_name, commands, apply, fixed, help) \
    {name, letter, rule, value_name, commands, apply, place, fixed, help},
#define WRITER(name, letter, beginning, kind, help)  \
    {#name,                                          \
     letter,                                         \
     VALUE_REQUIRED,                                 \
     "FILE",                                         \
     COMMAND_CHECK | COMMAND_REPLAY | COMMAND_MERGE, \
     set_string,                                     \
     FIELD(name),                                    \
     NULL,                                           \
     help},
#define REPORT WRITER
#define PRINTED_REPORT(name, letter, beginning, kind, help) \
    {#name,                                                 \
     letter,                                                \
     VALUE_OPTIONAL,                                        \
     "FILE",                                                \
     COMMAND_CHECK | COMMAND_REPLAY | COMMAND_MERGE,        \
     set_optional,                                          \
     FIELD(name),                                           \
     NULL,                                                  \
     help},
#include "base/options.def"
};

const uint32_t option_count = sizeof option_table / sizeof *option_table;

/* Options about reports, and about how much is done with how many resources. */
bool option_matters(const option *o) {
    static const char *const others[] = {
#define WRITER(name, ...) #name,
#define REPORT            WRITER
#define PRINTED_REPORT    WRITER
#include "base/options.def"
#include "base/text.h"
        "checkpoint",   "resume",   "jobs", "time-limit", "max-seconds", "max-executions",
        "memory-limit", "parts",    "full", "quiet",      "verbose",     "color",
        "no-progress",  "watchdog", "help", "sc",
    };
    uint32_t count = sizeof others / sizeof *others;
    return text_find(o->name, others, count) == count;
}

/* The first of the words, up to NULL, that the argument begins with; or NULL. */
static const char *find_beginning(const char *argument, const char *const *words) {
    for (; *words; words++) {
        if (text_starts(argument, *words)) {
            return *words;
        }
    }
    return NULL;
}

static const char *const with_path[] = {"-include", "-imacros",   "-isystem",
                                        "-iquote",  "-idirafter", NULL};

bool option_passes_through(const char *argument) {
    static const char *const beginnings[] = {"-W", "-f",        "-m",    "-std=", "-pthread", "-O",
                                             "-w", "-pedantic", "-ansi", "-g",    "-pipe",    NULL};
    return find_beginning(argument, beginnings) || find_beginning(argument, with_path);
}

bool option_lacks_path(const char *argument) {
    const char *flag = find_beginning(argument, with_path);
    return flag && !argument[strlen(flag)];
}
