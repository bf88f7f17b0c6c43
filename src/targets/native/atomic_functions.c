#define _GNU_SOURCE
#include "targets/native/atomic_functions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "targets/native/entry_registers.h"
#include "targets/native/lines.h"

typedef struct editor {
    line_editor base;
    bool inside, entered;
    bool in_error; /* the label of reach_error was seen */
    bool complete;
    /* Lines after its beginning, which are written once it is known which registers are unused
     * there; NULL: they are not kept. */
    FILE *start;
    char *kept;
    size_t kept_size;
    entry_registers registers;
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

/* What an atomic function begins with. */
static void begin_start(editor *e) {
    e->registers = (entry_registers){0};
    e->start = open_memstream(&e->kept, &e->kept_size);
    e->entered = true;
}

static void end_start(editor *e) {
    if (e->start) {
        fclose(e->start);
        entry_registers_clear(&e->registers, e->base.out);
        fputs("\tcall\theddle_atomic_enter@PLT\n", e->base.out);
        fputs(e->kept, e->base.out);
        free(e->kept);
        e->start = NULL;
    }
}

/* True: the line is kept for later. */
static bool keep_start(editor *e, const char *line) {
    if (e->start && entry_registers_pass(&e->registers, line)) {
        fputs(line, e->start);
        return true;
    }
    end_start(e);
    return false;
}

static void edit_line(line_editor *base, char *line) {
    editor *e = (editor *)base;
    if (!line) {
        end_start(e);
        end_lines(e);
        return;
    }
    if (keep_start(e, line)) {
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
        begin_start(e);
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
