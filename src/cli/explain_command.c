#include <stdio.h>

#include "cli/commands.h"
#include "cli/message.h"
#include "report/explanation.h"
#include "report/writers/paragraph.h"
#include "report/writers/style.h"

enum { WIDTH = 80 };

static void print_list(void) {
    fputs("The kinds of findings; heddle explain KIND explains one.\n\n", stdout);
    text name = {0};
    for (uint32_t kind = 0; kind < ERROR_KIND_COUNT; kind++) {
        text_clear(&name);
        text_format(&name, "  %s", error_word(kind));
        help_print(text_string(&name), explanation_of(kind)->summary, stdout);
    }
    text_free(&name);
}

static void print_kind(enum error_kind kind) {
    const explanation *e = explanation_of(kind);
    uint32_t terminal = is_terminal(stdout) ? style_width(stdout) : WIDTH;
    uint32_t width = terminal < WIDTH ? terminal : WIDTH;
    printf("%s (%s)\n\n", e->title, error_word(kind));
    paragraph_print(e->summary, 0, width, stdout);
    fputs("\nWhat it means\n", stdout);
    paragraph_print(e->meaning, 2, width, stdout);
    fputs("\nWhat usually fixes it\n", stdout);
    paragraph_print(e->remedy, 2, width, stdout);
}

int command_explain(const settings *s) {
    if (s->files.count > 1) {
        return usage_error("explain: name one kind (heddle explain lists them)");
    }
    if (s->files.count == 0) {
        print_list();
        return 0;
    }
    enum error_kind kind = error_kind_of(vector_at(&s->files, 0));
    if (kind == ERROR_KIND_COUNT) {
        return usage_error("explain: unknown kind %s; heddle explain lists them",
                           vector_at(&s->files, 0));
    }
    print_kind(kind);
    return 0;
}
