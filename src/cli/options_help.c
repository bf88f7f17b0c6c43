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

void options_print_help(enum command command, FILE *out) {
    text name = {0};
    for (uint32_t i = 0; i < option_count; i++) {
        if (option_table[i].commands & command) {
            text_clear(&name);
            name_option(&option_table[i], &name);
            help_print(text_string(&name), option_table[i].help, out);
        }
    }
    text_free(&name);
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

void options_print_manual(enum command command, FILE *out) {
    text name = {0};
    for (uint32_t i = 0; i < option_count; i++) {
        if (option_table[i].commands & command) {
            text_clear(&name);
            name_option(&option_table[i], &name);
            fputs(".TP\n.B ", out);
            print_roff(text_string(&name) + strspn(text_string(&name), " "), out);
            fputc('\n', out);
            print_roff(option_table[i].help, out);
            fputc('\n', out);
        }
    }
    text_free(&name);
}
