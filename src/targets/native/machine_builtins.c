#include "targets/native/machine_builtins.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "targets/native/lines.h"
#include "targets/native/memory_operand.h"

typedef struct editor {
    line_editor base;
    unseen_list *unseen;
    unsigned line, column;   /* of the builtin whose instructions these are, or 0 */
    bool direct;             /* what it accesses may be in the frame */
    bool announced, refused; /* some of them */
} editor;

static bool is_at(const unseen *u, unsigned line, unsigned column) {
    return u->kind == SITE_MACHINE && u->line == line && u->column == column;
}

static void end_place(editor *e) {
    for (uint32_t i = 0; i < e->unseen->count && e->line; i++) {
        unseen *u = &vector_at(e->unseen, i);
        if (is_at(u, e->line, e->column)) {
            u->announced = u->announced || e->announced;
            u->refused = u->refused || e->refused;
        }
    }
    e->line = 0;
    e->announced = e->refused = false;
}

static void begin_place(editor *e, unsigned line, unsigned column) {
    if (line == e->line && column == e->column) {
        return;
    }
    end_place(e);
    e->direct = false;
    for (uint32_t i = 0; i < e->unseen->count; i++) {
        if (is_at(&vector_at(e->unseen, i), line, column)) {
            e->line = line;
            e->column = column;
            e->direct = e->direct || vector_at(e->unseen, i).direct;
        }
    }
}

/* ---- instructions ---- */

static bool touches_nothing(const char *text) {
    return *text == '.' || *text == '#' || *text == '\n' || *text == 'j' || !strchr(text, '(') ||
           text_starts(text, "lea") || text_starts(text, "nop") || text_starts(text, "call") ||
           strstr(text, "@GOTPCREL(") || strstr(text, "@tls") || strstr(text, ".LC");
}

/* It accesses memory that a register points to, without naming it as an operand. */
static bool is_implicit(const char *text) {
    text += *text == 'v';
    return text_starts(text, "maskmov") || text_starts(text, "clzero") ||
           text_starts(text, "movdir64b") || text_starts(text, "enqcmd");
}

/* 0: it is not understood. */
static long size_of(const char *text) {
    if (text_starts(text, "rep") || strstr(text, "%ymm") || strstr(text, "%zmm")) {
        return 0;
    }
    text += *text == 'v';
    char name[8] = "";
    if (sscanf(text, "movnti %%%7[a-z0-9]", name) == 1) {
        return *name == 'r' && name[strlen(name) - 1] != 'd' ? 8 : 4;
    }
    return memory_operand_size(text);
}

/* Although the operand in memory is the last one. */
static bool only_loads(const char *text) {
    static const char *const names[] = {"cmpb", "cmpw", "cmpl", "cmpq", "test", "push",   "mul",
                                        "imul", "div",  "idiv", "fld",  "fild", "ldmxcsr"};
    return text_starts_with_any(text, names, sizeof names / sizeof *names);
}

static void announce(editor *e, const char *text) {
    memory_operand at;
    const char *last = memory_operand_last(text);
    bool stores = memchr(last, '(', strcspn(last, "#\n")) != NULL;
    const char *operand = stores ? last : text + strcspn(text, " \t");
    long size = size_of(text);
    if (!size || !memory_operand_parse(operand + strspn(operand, " \t"), &at) ||
        strstr(at.key, "mm")) {
        e->refused = true;
        return;
    }
    bool frame = !e->direct && (strstr(at.key, "(%rbp") || strstr(at.key, "(%rsp"));
    bool only_stores = text_starts(text, "mov") || text_starts(text, "vmov") ||
                       text_starts(text, "fnst") || text_starts(text, "stmxcsr");
    stores = stores && !only_loads(text);
    if (!stores || !only_stores) {
        memory_operand_announce(&at, 0, size, "heddle_struct_read", e->base.out);
    }
    if (stores) {
        memory_operand_announce(&at, 0, size, "heddle_struct_written", e->base.out);
    }
    e->announced = e->announced || !frame; /* else it is where the pointer is */
    e->base.changed = true;
}

static void edit(line_editor *base, char *line) {
    editor *e = (editor *)base;
    if (!line) {
        end_place(e);
        return;
    }
    unsigned row, column;
    const char *text = line + strspn(line, " \t");
    if (sscanf(text, ".loc %*u %u %u", &row, &column) == 2) {
        begin_place(e, row, column);
    } else if (text_starts(text, ".cfi_endproc")) {
        end_place(e);
    } else if (e->line && text != line && is_implicit(text)) {
        e->refused = true;
    } else if (e->line && text != line && !touches_nothing(text)) {
        announce(e, text);
    }
    fputs(line, base->out);
}

bool machine_builtins_edit(const char *assembly, unseen_list *found) {
    editor e = {.base.edit = edit, .unseen = found};
    uint32_t machine = 0, kept = 0;
    for (uint32_t i = 0; i < found->count; i++) {
        machine += vector_at(found, i).kind == SITE_MACHINE;
    }
    if (!machine) {
        return true;
    }
    bool good = lines_edit(&e.base, assembly);
    for (uint32_t i = 0; i < found->count; i++) {
        const unseen *u = &vector_at(found, i);
        if (!u->announced || u->refused) {
            vector_at(found, kept++) = *u;
        }
    }
    vector_resize(found, kept);
    return good;
}
