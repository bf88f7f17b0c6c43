#define _GNU_SOURCE
#include "targets/native/atomic_functions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "targets/native/native.h"

typedef struct editor {
    FILE *out;
    bool inside, entered;
    bool in_error; /* the label of reach_error was seen */
    bool any, complete;
} editor;

static bool starts(const char *text, const char *word) {
    return strncmp(text, word, strlen(word)) == 0;
}

static bool is_word(const char *text, const char *word) {
    size_t length = strlen(word);
    return starts(text, word) && strchr(" \t\n#", text[length]);
}

/* "__VERIFIER_atomic_take:", but not of begin and end themselves. */
static bool is_label(const char *line) {
    static const char prefix[] = "__VERIFIER_atomic_";
    return starts(line, prefix) && line[strcspn(line, ": \t\n")] == ':' &&
           !starts(line, "__VERIFIER_atomic_begin:") && !starts(line, "__VERIFIER_atomic_end:");
}

static void edit_line(editor *e, const char *line) {
    const char *text = line + strspn(line, " \t");
    if (is_word(line, "reach_error:")) {
        e->in_error = e->any = true;
    } else if (is_label(line)) {
        e->inside = e->any = true;
        e->entered = false;
    } else if (e->inside && (is_word(text, "ret") || is_word(text, "retq"))) {
        fputs("\tcall\theddle_atomic_leave@PLT\n", e->out);
    }
    fputs(line, e->out);
    if (e->in_error && is_word(text, ".cfi_startproc")) {
        fputs("\tcall\theddle_error_enter@PLT\n", e->out);
        e->in_error = false;
    } else if (e->inside && is_word(text, ".cfi_startproc")) {
        fputs("\tcall\theddle_atomic_enter@PLT\n", e->out);
        e->entered = true;
    } else if (e->inside && is_word(text, ".size")) {
        e->inside = false;
        e->complete = e->complete && e->entered;
    }
}

bool atomic_functions_edit(const char *assembly, bool *complete) {
    char edited[NATIVE_PATH_SIZE + 16];
    snprintf(edited, sizeof edited, "%s.edited", assembly);
    FILE *in = fopen(assembly, "r");
    editor e = {.out = fopen(edited, "w"), .complete = true};
    bool good = in && e.out;
    char *line = NULL;
    size_t room = 0;
    while (good && getline(&line, &room, in) > 0) {
        edit_line(&e, line);
    }
    free(line);
    good = good && !ferror(in) && !ferror(e.out);
    good = (!in || fclose(in) == 0) && good;
    good = (!e.out || fclose(e.out) == 0) && good;
#ifdef __x86_64__
    *complete = e.complete;
    return good && (e.any ? rename(edited, assembly) : remove(edited)) == 0;
#else
    *complete = !e.any;
    return remove(edited) == 0 && good;
#endif
}
