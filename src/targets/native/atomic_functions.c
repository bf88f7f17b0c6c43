#include "targets/native/atomic_functions.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "targets/native/lines.h"

typedef struct editor {
    line_editor base;
    bool inside, entered;
    bool in_error; /* the label of reach_error was seen */
    bool complete;
} editor;

static bool is_word(const char *text, const char *word) {
    size_t length = strlen(word);
    return text_starts(text, word) && strchr(" \t\n#", text[length]);
}

/* "__VERIFIER_atomic_take:", but not of begin and end themselves. */
static bool is_label(const char *line) {
    static const char prefix[] = "__VERIFIER_atomic_";
    return text_starts(line, prefix) && line[strcspn(line, ": \t\n")] == ':' &&
           !text_starts(line, "__VERIFIER_atomic_begin:") &&
           !text_starts(line, "__VERIFIER_atomic_end:");
}

/* Calls are inserted on x86-64 only. */
static void end_lines(editor *e) {
#ifndef __x86_64__
    e->complete = !e->base.changed;
    e->base.changed = false;
#else
    (void)e;
#endif
}

static void edit_line(line_editor *base, char *line) {
    editor *e = (editor *)base;
    if (!line) {
        end_lines(e);
        return;
    }
    const char *text = line + strspn(line, " \t");
    if (is_word(line, "reach_error:")) {
        e->in_error = base->changed = true;
    } else if (is_label(line)) {
        e->inside = base->changed = true;
        e->entered = false;
    } else if (e->inside && (is_word(text, "ret") || is_word(text, "retq"))) {
        fputs("\tcall\theddle_atomic_leave@PLT\n", base->out);
    }
    fputs(line, base->out);
    if (e->in_error && is_word(text, ".cfi_startproc")) {
        fputs("\tcall\theddle_error_enter@PLT\n", base->out);
        e->in_error = false;
    } else if (e->inside && is_word(text, ".cfi_startproc")) {
        fputs("\tcall\theddle_atomic_enter@PLT\n", base->out);
        e->entered = true;
    } else if (e->inside && is_word(text, ".size")) {
        e->inside = false;
        e->complete = e->complete && e->entered;
    }
}

bool atomic_functions_edit(const char *assembly, bool *complete) {
    editor e = {.base.edit = edit_line, .complete = true};
    bool good = lines_edit(&e.base, assembly);
    *complete = e.complete;
    return good;
}
