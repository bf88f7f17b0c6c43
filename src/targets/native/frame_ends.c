#include "targets/native/frame_ends.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/vector.h"
#include "targets/native/lines.h"

typedef struct editor {
    line_editor base;
    bool main;        /* in the function main */
    bool address;     /* the function has taken the address of a local */
    bool x87, quoted; /* it uses the x87; the program's own assembly */
    VECTOR(char) end; /* lines that may be the end of the function, not written yet */
    long size;        /* of the frame that these leave */
    uint32_t count;
} editor;

#ifdef __x86_64__
/* What is in the registers of a result stays there. */
static void write_call(editor *e, const char *end) {
    FILE *out = e->base.out;
    uint32_t number = e->count++;
    fprintf(out, "\tmovq\theddle_stacks_are_shared@GOTPCREL(%%rip), %%r11\n");
    fprintf(out, "\tcmpb\t$0, (%%r11)\n\tje\t.Lheddle_frame%u\n", number);
    fprintf(out, "\tleaq\t%s, %%r11\n\tcall\theddle_frame_ends@PLT\n", end);
    fprintf(out, ".Lheddle_frame%u:\n", number);
    e->base.changed = true;
}

static bool is_announced(const editor *e) {
    return e->address && !e->main && !e->x87;
}

/* ---- frames without a frame pointer ---- */

static void hold(editor *e, const char *line) {
    for (; *line; line++) {
        vector_push(&e->end, *line);
    }
}

/* The lines that were held are the end of the function, or not. */
static void release(editor *e, bool is_end) {
    char end[32];
    if (!e->end.count) {
        return;
    }
    if (is_end && is_announced(e)) {
        snprintf(end, sizeof end, "%ld(%%rsp)", e->size);
        write_call(e, end);
    }
    fwrite(e->end.items, 1, e->end.count, e->base.out);
    vector_clear(&e->end);
}

static bool is_for_debuggers(const char *text) {
    static const char *const words[] = {".cfi", ".loc", ".LVL", ".LBB", ".LBE", NULL};
    for (const char *const *word = words; *word; word++) {
        if (text_starts(text, *word)) {
            return true;
        }
    }
    return false;
}

/* "addq $24, %rsp", then nothing but "popq" and directives, then "ret". */
static bool is_held(editor *e, const char *line, const char *text) {
    long size;
    int length = 0;
    bool first = !e->end.count && sscanf(text, "addq $%ld, %%rsp%n", &size, &length) == 1 && length;
    if (first) {
        e->size = size;
    }
    if (first || (e->end.count && (text_starts(text, "popq") || is_for_debuggers(text)))) {
        hold(e, line);
        return true;
    }
    release(e, text_starts(text, "ret"));
    return false;
}

/* ---- lines ---- */

static bool takes_address(const char *text) {
    return (text_starts(text, "leaq") && (strstr(text, "(%rbp") || strstr(text, "(%rsp"))) ||
           text_starts(text, "movq\t%rsp, %r");
}

static void begin_function(editor *e, const char *line) {
    e->main = text_starts(line, "main:");
    e->address = e->x87 = false;
}

static void edit(line_editor *base, char *line) {
    editor *e = (editor *)base;
    if (!line) {
        release(e, false);
        return;
    }
    const char *text = line + strspn(line, " \t");
    e->quoted = text_starts(text, "#APP") || (e->quoted && !text_starts(text, "#NO_APP"));
    if (!e->quoted && is_held(e, line, text)) {
        return;
    }
    if (text == line && *line != '.' && *line != '#' && strchr(line, ':')) {
        begin_function(e, line);
    }
    e->address = e->address || takes_address(text);
    e->x87 = e->x87 || text_starts(text, "fld") || text_starts(text, "fild");
    if (!e->quoted && text_starts(text, "leave") && is_announced(e)) {
        write_call(e, "(%rbp)");
    }
    fputs(line, base->out);
}
#endif

/* Calls are inserted on x86-64 only. */
bool frame_ends_edit(const char *assembly) {
#ifdef __x86_64__
    editor e = {.base.edit = edit};
    bool good = lines_edit(&e.base, assembly);
    vector_free(&e.end);
    return good;
#else
    (void)assembly;
    return true;
#endif
}
