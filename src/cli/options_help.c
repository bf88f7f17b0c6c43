#include <ctype.h>
#include <string.h>

#include "cli/option_table.h"
#include "cli/options.h"
#include "report/writers/paragraph.h"

#define HELP_INDENT 26
#define HELP_WIDTH  80

/* "  -D, --define=NAME=VALUE" */
static void name_option(const option *o, text *out) {
    if (o->letter) {
        text_format(out, "  -%c, --%s", o->letter, o->name);
    } else {
        text_format(out, "      --%s", o->name);
    }
    if (o->rule == VALUE_REQUIRED) {
        text_format(out, "=%s", o->value_name);
    } else if (o->rule == VALUE_OPTIONAL) {
        text_format(out, "[=%s]", o->value_name);
    }
}

void help_print(const char *name, const char *meaning, FILE *out) {
    fputs(name, out);
    paragraph_continue(meaning, (uint32_t)strlen(name), HELP_INDENT, HELP_INDENT, HELP_WIDTH, out);
}

/* Calls `heading` for each group in which the command has options, and `print` for these. */
static void print_groups(enum command command, void (*heading)(const char *title, FILE *),
                         void (*print)(const option *, const char *name, FILE *), FILE *out) {
    const char *title = NULL;
    text name = {0};
    for (uint32_t i = 0; i < option_count; i++) {
        const option *o = &option_table[i];
        if (option_is_heading(o)) {
            title = o->help;
        } else if (o->commands & command) {
            if (title) {
                heading(title, out);
                title = NULL;
            }
            text_clear(&name);
            name_option(o, &name);
            print(o, text_string(&name), out);
        }
    }
    text_free(&name);
}

static void print_heading(const char *title, FILE *out) {
    fprintf(out, "\n%s:\n", title);
}

static void print_option(const option *o, const char *name, FILE *out) {
    help_print(name, o->help, out);
}

void options_print_help(enum command command, FILE *out) {
    print_groups(command, print_heading, print_option, out);
}

/* Hyphens are minus signs and backslashes are doubled in roff. */
static void print_roff(const char *string, FILE *out) {
    for (; *string; string++) {
        if (*string == '-') {
            fputs("\\-", out);
        } else if (*string == '\\') {
            fputs("\\e", out);
        } else {
            fputc(*string, out);
        }
    }
}

static void print_roff_heading(const char *title, FILE *out) {
    fprintf(out, ".SS %c%s\n", toupper((unsigned char)*title), title + 1);
}

static void print_roff_option(const option *o, const char *name, FILE *out) {
    fputs(".TP\n.B ", out);
    print_roff(name + strspn(name, " "), out);
    fputc('\n', out);
    print_roff(o->help, out);
    fputc('\n', out);
}

void options_print_manual(enum command command, FILE *out) {
    print_groups(command, print_roff_heading, print_roff_option, out);
}
