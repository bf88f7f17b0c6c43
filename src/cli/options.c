#include "cli/options.h"

#include <string.h>

#include "base/text.h"
#include "cli/option_table.h"

typedef struct parser {
    settings *settings;
    enum command command;
    char **rest; /* remaining arguments, up to NULL */
    text *message;
} parser;

/* ---- unknown options ---- */

/* The edit distance of two words. */
static uint32_t edit_distance(const char *a, const char *b) {
    uint32_t row[64] = {0};
    size_t width = strlen(b);
    if (width >= 64) {
        return UINT32_MAX;
    }
    for (uint32_t j = 0; j <= width; j++) {
        row[j] = j;
    }
    for (uint32_t i = 0; a[i]; i++) {
        uint32_t diagonal = row[0];
        row[0] = i + 1;
        for (uint32_t j = 0; j < width; j++) {
            uint32_t changed = diagonal + (a[i] != b[j]);
            uint32_t shorter = row[j] < row[j + 1] ? row[j] : row[j + 1];
            diagonal = row[j + 1];
            row[j + 1] = changed < shorter + 1 ? changed : shorter + 1;
        }
    }
    return row[width];
}

static bool unknown(parser *p, const char *argument, const char *name) {
    const option *nearest = NULL;
    uint32_t least = 3;
    for (uint32_t i = 0; i < option_count && *name; i++) {
        uint32_t distance = edit_distance(name, option_table[i].name);
        if (distance < least && (option_table[i].commands & p->command)) {
            nearest = &option_table[i];
            least = distance;
        }
    }
    text_format(p->message, "unknown option %s", argument);
    if (nearest) {
        text_format(p->message, "; did you mean --%s?", nearest->name);
    } else {
        text_append(p->message, "; --help lists the options");
    }
    return false;
}

/* ---- parsing ---- */

static const option *find_name(const parser *p, const char *name, size_t length) {
    for (uint32_t i = 0; i < option_count; i++) {
        const option *o = &option_table[i];
        if (text_is(name, length, o->name)) {
            return o->commands & p->command ? o : NULL;
        }
    }
    return NULL;
}

static const option *find_letter(const parser *p, char letter) {
    for (uint32_t i = 0; i < option_count; i++) {
        const option *o = &option_table[i];
        if (o->letter && o->letter == letter) {
            return o->commands & p->command ? o : NULL;
        }
    }
    return NULL;
}

static bool apply(parser *p, const option *o, const char *value) {
    if (o->rule == VALUE_REQUIRED && !value) {
        value = *p->rest;
        if (!value) {
            text_format(p->message, "--%s needs a value: --%s=%s", o->name, o->name, o->value_name);
            return false;
        }
        p->rest++;
    }
    if (o->rule == VALUE_NONE && value) {
        text_format(p->message, "--%s takes no value", o->name);
        return false;
    }
    settings *s = p->settings;
    text name = {0};
    text_format(&name, "--%s%s", o->name, value ? "=" : "");
    settings_add_word(option_matters(o) ? &s->words : &s->other_words, text_string(&name),
                      value ? value : "");
    text_free(&name);
    return o->apply((char *)s + o->field, o, value, p->message);
}

static bool parse_long(parser *p, const char *argument) {
    const char *name = argument + 2;
    size_t length = strcspn(name, "=");
    const option *o = find_name(p, name, length);
    if (!o) {
        text shown = {0};
        text_append_bytes(&shown, name, (uint32_t)length);
        unknown(p, argument, text_string(&shown));
        text_free(&shown);
        return false;
    }
    return apply(p, o, name[length] == '=' ? name + length + 1 : NULL);
}

/* -k, -kD N=1, -DN=1 */
static bool parse_short(parser *p, const char *argument) {
    for (const char *letter = argument + 1; *letter; letter++) {
        const option *o = find_letter(p, *letter);
        if (!o) {
            return unknown(p, argument, "");
        }
        if (o->rule == VALUE_REQUIRED) {
            return apply(p, o, letter[1] ? letter + 1 : NULL);
        }
        if (!apply(p, o, NULL)) {
            return false;
        }
    }
    return true;
}

/* For the compiler; with the path in one word, as it is in schedules. */
static bool pass_through(parser *p, const char *argument) {
    const char *path = "";
    if (option_lacks_path(argument)) {
        path = *p->rest;
        if (!path) {
            text_format(p->message, "%s needs a path: %s PATH", argument, argument);
            return false;
        }
        p->rest++;
    }
    settings_add_flag(p->settings, argument, path);
    settings_add_word(&p->settings->words, argument, path);
    return true;
}

static bool parse_argument(parser *p, const char *argument) {
    if (text_starts(argument, "--")) {
        return parse_long(p, argument);
    }
    if (option_passes_through(argument) && p->command == COMMAND_CHECK) {
        return pass_through(p, argument);
    }
    if (argument[0] == '-' && argument[1]) {
        return parse_short(p, argument);
    }
    vector_push(&p->settings->files, argument);
    settings_add_word(&p->settings->words, argument, "");
    return true;
}

/* Errors before or after --json are reported as JSON, too. */
static void note_json(settings *o, enum command command, char **argv) {
    parser p = {.command = command};
    for (; *argv && strcmp(*argv, "--") != 0; argv++) {
        bool whole = strcmp(*argv, "--json") == 0;
        if ((whole || text_starts(*argv, "--json=")) && find_name(&p, "json", 4)) {
            o->json = (optional_value){.given = true, .value = whole ? NULL : *argv + 7};
        }
    }
}

bool options_parse(settings *o, enum command command, int argc, char **argv, text *message) {
    CHECK(argv[argc] == NULL);
    *o = (settings){0};
    parser p = {.settings = o, .command = command, .rest = argv, .message = message};
    while (*p.rest) {
        const char *argument = *p.rest++;
        if (strcmp(argument, "--") == 0) {
            break;
        }
        if (!parse_argument(&p, argument)) {
            note_json(o, command, argv);
            return false;
        }
    }
    while (*p.rest) {
        vector_push(&o->arguments, *p.rest++);
    }
    return true;
}
