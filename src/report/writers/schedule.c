#include "report/writers/schedule.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* ---- writing ---- */

/* A field ends at the end of its line, so a line end inside one becomes a space. */
static void write_field(text *out, const char *key, const char *value) {
    uint32_t start = text_length(out) + (uint32_t)strlen(key);
    text_format(out, "%s %s", key, value);
    for (uint32_t i = start; i < text_length(out); i++) {
        char *c = &vector_at(&out->characters, i);
        *c = *c == '\n' || *c == '\r' ? ' ' : *c;
    }
    text_append(out, "\n");
}

/* For things that an option or a file may name several times. */
static void write_fields(text *out, const char *key, const string_list *values) {
    for (uint32_t i = 0; i < values->count; i++) {
        write_field(out, key, vector_at(values, i));
    }
}

static void write_optional(text *out, const char *key, const char *value) {
    if (value) {
        write_field(out, key, value);
    }
}

static void write_subject(text *out, const settings *s) {
    write_optional(out, "program", s->program);
    write_fields(out, "file", &s->files);
    write_optional(out, "folder", s->files.count ? s->directory : NULL);
    write_fields(out, "define", &s->definitions);
    write_fields(out, "flag", &s->flags);
    write_fields(out, "argument", &s->arguments);
    write_optional(out, "function", s->function);
    write_optional(out, "bytes", s->argument);
    write_optional(out, "compiler", s->compiler);
    write_optional(out, "level", s->optimize ? "optimize" : NULL);
    write_optional(out, "races", s->no_race_check ? "ignored" : NULL);
    write_optional(out, "status", s->exit_status ? "checked" : NULL);
    write_optional(out, "svcomp", s->svcomp ? svcomp_word(s->svcomp) : NULL);
    write_optional(out, "leaks", s->leaks == LEAKS_ERROR ? "checked" : NULL);
    write_optional(out, "timeouts",
                   s->timeouts == TIMEOUTS_MAY     ? "may"
                   : s->timeouts == TIMEOUTS_NEVER ? "never"
                                                   : NULL);
    write_optional(out, "waits", s->spurious ? "spurious" : NULL);
    write_optional(out, "compare-exchange", s->weak_cas ? "weak" : NULL);
    write_optional(out, "malloc", s->malloc_fails ? "fails" : NULL);
    write_optional(out, "volatile", s->volatiles == VOLATILES_ATOMIC ? "atomic" : NULL);
    write_fields(out, "ignore-race", &s->ignored_races);
}

static void write_threads(text *out, const finding *f) {
    text line = {0};
    for (uint32_t i = 0; i < f->threads.count; i++) {
        text_clear(&line);
        text_format(&line, "%u %s", i, finding_thread(f, i));
        write_field(out, "thread", text_string(&line));
    }
    text_free(&line);
}

static void write_steps(text *out, const finding *f) {
    text line = {0};
    for (uint32_t i = 0; i < f->steps.count; i++) {
        step s = vector_at(&f->steps, i).step;
        text_clear(&line);
        text_format(&line, s.choice == CHOICE_NONE ? "%u " : "%u:%u ", s.thread, s.choice);
        text_append(&line, finding_text(f, vector_at(&f->steps, i).description));
        write_field(out, "step", text_string(&line));
    }
    text_free(&line);
}

void schedule_write(text *out, const settings *s, const finding *f) {
    text_format(out, "heddle schedule %d\n", SCHEDULE_VERSION);
    write_subject(out, s);
    write_threads(out, f);
    for (uint32_t i = 0; i < f->shared.count; i++) {
        write_field(out, "shared", finding_text(f, vector_at(&f->shared, i)));
    }
    if (f->ending) {
        write_field(out, "error", finding_text(f, f->ending));
    }
    if (f->doomed != FINDING_NO_STEP) {
        text_format(out, "unavoidable %u\n", f->doomed);
    }
    write_steps(out, f);
    text_format(out, "end %u\n", f->steps.count);
}

/* ---- reading ---- */

typedef struct reader {
    schedule *schedule;
    schedule_fault *fault;
    bool ended;
} reader;

__attribute__((format(printf, 2, 3))) static bool wrong(reader *r, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->fault->message, sizeof r->fault->message, format, arguments);
    va_end(arguments);
    return false;
}

/* A number below 2^32 - 1 at *cursor, which is moved after it. */
static bool read_number(const char **cursor, uint32_t *number) {
    char *end;
    if (**cursor < '0' || **cursor > '9') {
        return false;
    }
    unsigned long long value = strtoull(*cursor, &end, 10);
    *cursor = end;
    *number = (uint32_t)value;
    return value < UINT32_MAX;
}

static bool read_step(reader *r, const char *value) {
    schedule_step s = {.step.choice = CHOICE_NONE};
    if (!read_number(&value, &s.step.thread)) {
        return wrong(r, "expected the number of a thread after \"step\"");
    }
    if (*value == ':') {
        value++;
        if (!read_number(&value, &s.step.choice)) {
            return wrong(r, "expected a choice after \":\"");
        }
    }
    if (*value != '\0' && *value != ' ') {
        return wrong(r, "expected \"step THREAD[:CHOICE] [DESCRIPTION]\"");
    }
    s.description = value + (*value == ' ');
    vector_push(&r->schedule->steps, s);
    return true;
}

static bool read_program(reader *r, const char *value) {
    r->schedule->settings.program = value;
    return true;
}

static bool read_file(reader *r, const char *value) {
    vector_push(&r->schedule->settings.files, value);
    return true;
}

static bool read_directory(reader *r, const char *value) {
    r->schedule->settings.directory = value;
    return true;
}

static bool read_definition(reader *r, const char *value) {
    vector_push(&r->schedule->settings.definitions, value);
    return true;
}

static bool read_flag(reader *r, const char *value) {
    vector_push(&r->schedule->settings.flags, value);
    return true;
}

static bool read_argument(reader *r, const char *value) {
    vector_push(&r->schedule->settings.arguments, value);
    return true;
}

static bool read_function(reader *r, const char *value) {
    r->schedule->settings.function = value;
    return true;
}

static bool read_bytes(reader *r, const char *value) {
    r->schedule->settings.argument = value;
    return text_is_hexadecimal(value) || wrong(r, "expected two hexadecimal digits for each byte");
}

static bool read_compiler(reader *r, const char *value) {
    r->schedule->settings.compiler = value;
    return true;
}

static bool read_level(reader *r, const char *value) {
    r->schedule->settings.optimize = true;
    return strcmp(value, "optimize") == 0 || wrong(r, "expected \"level optimize\"");
}

static bool read_races(reader *r, const char *value) {
    r->schedule->settings.no_race_check = true;
    return strcmp(value, "ignored") == 0 || wrong(r, "expected \"races ignored\"");
}

static bool read_status(reader *r, const char *value) {
    r->schedule->settings.exit_status = true;
    return strcmp(value, "checked") == 0 || wrong(r, "expected \"status checked\"");
}

static bool read_svcomp(reader *r, const char *value) {
    r->schedule->settings.svcomp = svcomp_property_of(value);
    return r->schedule->settings.svcomp != SVCOMP_OFF ||
           wrong(r, "expected \"svcomp\" and a property");
}

static bool read_leaks(reader *r, const char *value) {
    r->schedule->settings.leaks = LEAKS_ERROR;
    return strcmp(value, "checked") == 0 || wrong(r, "expected \"leaks checked\"");
}

static bool read_timeouts(reader *r, const char *value) {
    bool may = strcmp(value, "may") == 0;
    r->schedule->settings.timeouts = may ? TIMEOUTS_MAY : TIMEOUTS_NEVER;
    return may || strcmp(value, "never") == 0 || wrong(r, "expected \"timeouts may\" or never");
}

static bool read_waits(reader *r, const char *value) {
    r->schedule->settings.spurious = true;
    return strcmp(value, "spurious") == 0 || wrong(r, "expected \"waits spurious\"");
}

static bool read_compare_exchange(reader *r, const char *value) {
    r->schedule->settings.weak_cas = true;
    return strcmp(value, "weak") == 0 || wrong(r, "expected \"compare-exchange weak\"");
}

static bool read_malloc(reader *r, const char *value) {
    r->schedule->settings.malloc_fails = true;
    return strcmp(value, "fails") == 0 || wrong(r, "expected \"malloc fails\"");
}

static bool read_volatile(reader *r, const char *value) {
    r->schedule->settings.volatiles = VOLATILES_ATOMIC;
    return strcmp(value, "atomic") == 0 || wrong(r, "expected \"volatile atomic\"");
}

static bool read_ignored_race(reader *r, const char *value) {
    vector_push(&r->schedule->settings.ignored_races, value);
    return true;
}

static bool read_thread(reader *r, const char *value) {
    uint32_t number;
    if (!read_number(&value, &number)) {
        return wrong(r, "expected \"thread NUMBER NAME\"");
    }
    if (number == r->schedule->threads.count) {
        vector_push(&r->schedule->threads, value + (*value == ' '));
    }
    return true;
}

static bool read_shared(reader *r, const char *value) {
    vector_push(&r->schedule->shared, value);
    return true;
}

static bool read_error(reader *r, const char *value) {
    r->schedule->error = value;
    return true;
}

static bool read_unavoidable(reader *r, const char *value) {
    return (read_number(&value, &r->schedule->unavoidable) && !*value) ||
           wrong(r, "expected \"unavoidable\" and a number of steps");
}

static bool read_end(reader *r, const char *value) {
    uint32_t count;
    if (!read_number(&value, &count) || *value) {
        return wrong(r, "expected \"end\" and the number of steps");
    }
    r->ended = true;
    return count == r->schedule->steps.count ||
           wrong(r, "the file has %u steps, but its last line says %u", r->schedule->steps.count,
                 count);
}

static const struct {
    const char *key;
    bool (*read)(reader *, const char *value);
} fields[] = {
    {"program", read_program},   {"file", read_file},
    {"folder", read_directory},  {"define", read_definition},
    {"flag", read_flag},         {"argument", read_argument},
    {"function", read_function}, {"bytes", read_bytes},
    {"compiler", read_compiler}, {"level", read_level},
    {"races", read_races},       {"status", read_status},
    {"svcomp", read_svcomp},     {"thread", read_thread},
    {"shared", read_shared},     {"error", read_error},
    {"step", read_step},         {"timeouts", read_timeouts},
    {"waits", read_waits},       {"compare-exchange", read_compare_exchange},
    {"leaks", read_leaks},       {"malloc", read_malloc},
    {"volatile", read_volatile}, {"ignore-race", read_ignored_race},
    {"end", read_end},           {"unavoidable", read_unavoidable},
};

static bool read_line(reader *r, const char *line) {
    if (r->ended) {
        return wrong(r, "nothing may follow the line \"end\"");
    }
    for (uint32_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        size_t length = strlen(fields[i].key);
        if (strncmp(line, fields[i].key, length) == 0 && line[length] == ' ') {
            return fields[i].read(r, line + length + 1);
        }
    }
    return wrong(r, "expected program, file, define, thread, error, step or end, not \"%.40s\"",
                 line);
}

static bool read_header(reader *r, const char *line) {
    static const char header[] = "heddle schedule ";
    uint32_t version;
    const char *cursor = line + strlen(header);
    if (!text_starts(line, header) || !read_number(&cursor, &version) || *cursor) {
        return wrong(r, "this is not a schedule: expected \"heddle schedule %d\"",
                     SCHEDULE_VERSION);
    }
    return version == SCHEDULE_VERSION ||
           wrong(r, "schedule of version %u; this heddle reads version %d", version,
                 SCHEDULE_VERSION);
}

static bool check_whole(reader *r) {
    const settings *s = &r->schedule->settings;
    if (!r->ended) {
        return wrong(r, "the file is cut off: the line \"end\" is missing");
    }
    return (s->program != NULL) != (s->files.count != 0) ||
           wrong(r, "expected either one \"program\" or at least one \"file\"");
}

/* Cuts the next line out of the text; NULL at the end. */
static char *next_line(char **rest) {
    char *line = *rest;
    if (!line || !*line) {
        return NULL;
    }
    char *end = strchr(line, '\n');
    *rest = end ? end + 1 : NULL;
    if (end) {
        *end = '\0';
        if (end > line && end[-1] == '\r') {
            end[-1] = '\0';
        }
    }
    return line;
}

bool schedule_read(schedule *s, text contents, schedule_fault *fault) {
    *s = (schedule){.contents = contents, .unavoidable = FINDING_NO_STEP};
    *fault = (schedule_fault){.line = 1};
    reader r = {.schedule = s, .fault = fault};
    char *rest = s->contents.characters.items;
    char *line = next_line(&rest);
    if (!read_header(&r, line ? line : "")) {
        return false;
    }
    while ((line = next_line(&rest))) {
        fault->line++;
        if (*line && *line != '#' && !read_line(&r, line)) {
            return false;
        }
    }
    return check_whole(&r);
}

void schedule_free(schedule *s) {
    text_free(&s->contents);
    settings_free(&s->settings);
    vector_free(&s->steps);
    vector_free(&s->threads);
    vector_free(&s->shared);
}
