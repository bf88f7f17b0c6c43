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
    return *value >= '0' && *value <= '9' && *end == '\0' && errno == 0;
}

static bool set_bound(void *field, const option *o, const char *value, text *message) {
    uint64_t number;
    if (!parse_number(value, &number) || number == 0) {
        text_format(message, "--%s=%s: expected a number from 1 on", o->name, value);
        return false;
    }
    *(uint64_t *)field = number;
    return true;
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
    uint64_t number = *value >= '0' && *value <= '9' ? strtoull(value, &end, 10) : 0;
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
    uint64_t number = *value >= '0' && *value <= '9' ? strtoull(value, &end, 10) : 0;
    const char *unit = *end ? strchr(units, *end == 'K' ? 'k' : *end) : NULL;
    unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    if (errno || !number || (*end && (!unit || end[1])) || number > UINT64_MAX >> shift) {
        text_format(message, "--%s=%s: expected a size such as 500M or 2G", o->name, value);
        return false;
    }
    *(uint64_t *)field = number << shift;
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

/* The field is the whole struct: the text of a flag that is put together belongs to it. */
static bool add_flag(void *field, const option *o, const char *value, text *message) {
    (void)message;
    settings_add_flag(field, o->fixed, value);
    return true;
}

static bool set_first(void *field, const option *o, const char *value, text *message) {
    static const char *const words[] = {[FIRST_LOWEST] = "lowest",
                                        [FIRST_HIGHEST] = "highest",
                                        [FIRST_ROUND_ROBIN] = "round-robin"};
    static const char random[] = "random:";
    first_choice *first = field;
    for (uint32_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(value, words[i]) == 0) {
            *first = (first_choice){.policy = i};
            return true;
        }
    }
    if (strncmp(value, random, strlen(random)) == 0 &&
        parse_number(value + strlen(random), &first->seed)) {
        first->policy = FIRST_RANDOM;
        return true;
    }
    text_format(message, "--%s=%s: expected lowest, highest, round-robin or random:SEED", o->name,
                value);
    return false;
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

static bool set_leaks(void *field, const option *o, const char *value, text *message) {
    static const char *const words[] = {
        [LEAKS_WARN] = "warn", [LEAKS_IGNORE] = "ignore", [LEAKS_ERROR] = "error"};
    for (uint32_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(value, words[i]) == 0) {
            *(enum leaks *)field = i;
            return true;
        }
    }
    text_format(message, "--%s=%s: expected ignore, warn or error", o->name, value);
    return false;
}

/* ---- the table ---- */

#define FIELD(name) offsetof(settings, name)

const option option_table[] = {
    {"algorithm", 0, VALUE_REQUIRED, "NAME", COMMAND_CHECK, set_string, FIELD(algorithm), NULL,
     "The algorithm that explores; see the list below."},
    {"program", 0, VALUE_REQUIRED, "TEXT", COMMAND_CHECK, set_string, FIELD(program), NULL,
     "Check a one-line program such as 'wx1 / rx / rx' instead of a file."},
    {"batch", 0, VALUE_REQUIRED, "FILE", COMMAND_CHECK, set_string, FIELD(batch), NULL,
     "Check the one-line program on every line of FILE (- for standard input) and print one JSON "
     "object a line. Empty lines and lines that begin with # are skipped. The exit status is the "
     "highest of theirs."},
    {"define", 'D', VALUE_REQUIRED, "NAME=VALUE", COMMAND_CHECK, add_string, FIELD(definitions),
     NULL,
     "Set a parameter of an abstract program, or a macro of a C program; NAME alone means 1."},
    {"include", 'I', VALUE_REQUIRED, "FOLDER", COMMAND_CHECK, add_flag, 0, "-I",
     "Passed to the compiler of C files, as are -D and flags that begin with -W, -w, -f, -m, -g, "
     "-std=, -ansi, -pedantic and -pthread."},
    {"undefine", 'U', VALUE_REQUIRED, "NAME", COMMAND_CHECK, add_flag, 0, "-U",
     "Passed to the compiler."},
    {"library-path", 'L', VALUE_REQUIRED, "FOLDER", COMMAND_CHECK, add_flag, 0, "-L",
     "Passed to the linker."},
    {"library", 'l', VALUE_REQUIRED, "NAME", COMMAND_CHECK, add_flag, 0, "-l",
     "Passed to the linker."},
    {"cc", 0, VALUE_REQUIRED, "COMMAND", COMMAND_CHECK | COMMAND_REPLAY, set_string,
     FIELD(compiler), NULL,
     "The compiler of C files: gcc (the default) or clang, whose instrumentation leaves out some "
     "accesses to locals that threads share; a warning says so."},
    {"optimize", 0, VALUE_NONE, NULL, COMMAND_CHECK, set_flag, FIELD(optimize), NULL,
     "Compile with gcc's -O1 without the passes that merge or remove accesses to memory, instead "
     "of -O0."},
    {"no-race-check", 0, VALUE_NONE, NULL, COMMAND_CHECK, set_flag, FIELD(no_race_check), NULL,
     "Do not report data races of C programs."},
    {"keep-going", 'k', VALUE_NONE, NULL, COMMAND_CHECK, set_flag, FIELD(keep_going), NULL,
     "Explore everything instead of stopping at the first error."},
    {"json", 0, VALUE_OPTIONAL, "FILE", COMMAND_CHECK, set_optional, FIELD(json), NULL,
     "Report as one JSON object: to FILE, or on standard output in place of the text."},
    {"schedule", 'o', VALUE_REQUIRED, "FILE", COMMAND_CHECK, set_string, FIELD(schedule), NULL,
     "Write the schedule of the first error to FILE, for heddle replay."},
    {"first", 0, VALUE_REQUIRED, "ORDER", COMMAND_CHECK, set_first, FIELD(first), NULL,
     "Which thread goes first where the algorithm leaves it open: lowest (the default), highest, "
     "round-robin or random:SEED."},
    {"max-steps", 0, VALUE_REQUIRED, "N", COMMAND_CHECK, set_bound, FIELD(max_steps), NULL,
     "Cut every execution after N steps. If one was cut, the verdict is \"incomplete\" unless an "
     "error was found. Without this option, the first execution of 4,000,000 steps is the last."},
    {"max-executions", 0, VALUE_REQUIRED, "N", COMMAND_CHECK, set_bound, FIELD(max_executions),
     NULL, "Stop after N executions; the verdict is then \"incomplete\" as well."},
    {"time-limit", 0, VALUE_REQUIRED, "TIME", COMMAND_CHECK | COMMAND_REPLAY, set_duration,
     FIELD(time_limit_ms), NULL,
     "Stop after that time (10s, 5m, 2h), whatever is done then: compiling, exploring, reporting. "
     "The verdict is then \"incomplete\" as well. In a batch, the time of each program."},
    {"max-seconds", 0, VALUE_REQUIRED, "N", COMMAND_CHECK, set_seconds, FIELD(time_limit_ms), NULL,
     "The old name of --time-limit, in seconds."},
    {"memory-limit", 0, VALUE_REQUIRED, "SIZE", COMMAND_CHECK, set_size, FIELD(memory_limit), NULL,
     "Stop when heddle and the program together have taken that much memory (500M, 2G); the "
     "verdict is then \"incomplete\" as well. Without this option, three quarters of the memory of "
     "the machine or of the control group."},
    {"watchdog", 0, VALUE_REQUIRED, "SECONDS", COMMAND_CHECK | COMMAND_REPLAY, set_seconds,
     FIELD(watchdog_ms), NULL,
     "Give up a step of a C program that takes longer than that (5): a loop without an operation "
     "that others could see, or a call that waits in the kernel. A loop that is seen to be back in "
     "the state that it was in is an error; otherwise the verdict is \"incomplete\"."},
    {"allow-files", 0, VALUE_NONE, NULL, COMMAND_CHECK | COMMAND_REPLAY, set_flag,
     FIELD(allow_files), NULL,
     "Permit a C program to write, create, delete and rename files. It does so in every execution, "
     "and heddle does not put them back. Without this option such calls are unsupported."},
    {"exit-status", 0, VALUE_NONE, NULL, COMMAND_CHECK, set_flag, FIELD(exit_status), NULL,
     "It is an error if a C program ends with a status other than 0."},
    {"svcomp", 0, VALUE_OPTIONAL, "PROPERTY", COMMAND_CHECK, set_svcomp, FIELD(svcomp), NULL,
     "A C program of SV-COMP, checked for one property: unreach-call (the default: reach_error and "
     "failed assertions are errors), no-data-race, no-deadlock or valid-memsafety. Errors of other "
     "kinds are ignored with a warning, and abort ends an execution like a failed assumption."},
    {"leaks", 0, VALUE_REQUIRED, "WHAT", COMMAND_CHECK, set_leaks, FIELD(leaks), NULL,
     "What to do about memory of a C program that nobody has freed, or can reach to free it, when "
     "the program ends: ignore, warn (the default) or error."},
    {"full", 0, VALUE_NONE, NULL, COMMAND_CHECK | COMMAND_REPLAY, set_flag, FIELD(full), NULL,
     "Print schedules of any length in full."},
    {"no-progress", 0, VALUE_NONE, NULL, COMMAND_CHECK, set_flag, FIELD(no_progress), NULL,
     "No progress line, even on a terminal."},
    {"source", 0, VALUE_NONE, NULL, COMMAND_CHECK, set_alias, FIELD(algorithm), "source",
     "The same as --algorithm=source."},
    {"optimal", 0, VALUE_NONE, NULL, COMMAND_CHECK, set_alias, FIELD(algorithm), "optimal",
     "The same as --algorithm=optimal."},
    {"observers", 0, VALUE_NONE, NULL, COMMAND_CHECK, set_alias, FIELD(algorithm), "observers",
     "The same as --algorithm=observers."},
    {"sc", 0, VALUE_NONE, NULL, COMMAND_CHECK, set_flag, FIELD(sequential), NULL,
     "Sequential consistency, which is the only memory model; accepted for compatibility."},
    {"help", 'h', VALUE_OPTIONAL, "roff", COMMAND_CHECK | COMMAND_REPLAY, set_optional, FIELD(help),
     NULL, "Print this text; with =roff, as source of the manual page."},
};

const uint32_t option_count = sizeof option_table / sizeof *option_table;

bool option_passes_through(const char *argument) {
    static const char *const beginnings[] = {"-W", "-f",        "-m",    "-std=", "-pthread",
                                             "-w", "-pedantic", "-ansi", "-g"};
    for (uint32_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        if (strncmp(argument, beginnings[i], strlen(beginnings[i])) == 0) {
            return true;
        }
    }
    return false;
}
