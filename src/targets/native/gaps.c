#include "targets/native/gaps.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "targets/native/lines.h"
#include "targets/native/objects.h"

#define GAP_NAME         "heddle_gap_"
#define DESCRIPTION_NAME ".Lubsan_"
enum { GAP_SIZE = 32, LINE_SIZE = 1 << 16 };

typedef struct editor {
    line_editor base;
    bool named;              /* one that is neither .data nor .bss */
    bool data;               /* in a section whose variables get gaps */
    bool open;               /* such a one, and it ends with a variable so far */
    bool quoted;             /* the program's own assembly */
    bool moved;              /* in the section for the compiler's descriptions of arrays */
    char object[LINE_SIZE];  /* the variable whose label is to come */
    char local[LINE_SIZE];   /* the variable that is to be in .bss, by .comm */
    char section[LINE_SIZE]; /* the line that opened the current section */
    char align[LINE_SIZE];   /* of the variable to come, not written yet: the gap comes first */
    uint32_t count;
} editor;

/* The name after a directive. */
static void copy_name(char *name, const char *text) {
    size_t length = strcspn(text, " \t,\n:");
    snprintf(name, LINE_SIZE, "%.*s", (int)(length < LINE_SIZE ? length : 0), text);
}

static const char *after(const char *text) {
    text += strcspn(text, " \t\n");
    return text + strspn(text, " \t");
}

static bool has_gaps(const char *name) {
    return strcmp(name, ".data") == 0 || strcmp(name, ".bss") == 0 ||
           strcmp(name, ".data.rel") == 0 || strcmp(name, ".data.rel.local") == 0;
}

/* A gap at the current place, and the alignment of what follows. */
static void write_gap(editor *e, const char *align) {
    uint32_t number = e->count++;
    fprintf(e->base.out, "\t.type\t" GAP_NAME "%u, @object\n", number);
    fprintf(e->base.out, GAP_NAME "%u:\n\t.zero\t%d\n\t.balign\t8\n%s", number, GAP_SIZE, align);
    fprintf(e->base.out, ".Lheddle_gap_end_%u:\n", number);
    fprintf(e->base.out, "\t.size\t" GAP_NAME "%u, .Lheddle_gap_end_%u - " GAP_NAME "%u\n", number,
            number, number);
}

/* What comes next in the linked program may be of an object without gaps. */
static void close_section(editor *e) {
    if (e->open) {
        write_gap(e, "");
    }
    e->open = false;
}

/* True if the line opens a section. */
static bool enters(editor *e, const char *text) {
    char name[LINE_SIZE];
    if (text_starts(text, ".section") || text_starts(text, ".pushsection")) {
        copy_name(name, after(text));
    } else {
        copy_name(name, text);
    }
    bool plain =
        strcmp(name, ".data") == 0 || strcmp(name, ".bss") == 0 || strcmp(name, ".text") == 0;
    bool opens = text_starts(text, ".section") || plain;
    if (opens) {
        close_section(e);
        e->data = has_gaps(name);
        e->named = e->data && !plain;
        e->moved = false;
        snprintf(e->section, sizeof e->section, "%s", text);
    } else if (text_starts(text, ".pushsection") || text_starts(text, ".popsection") ||
               text_starts(text, ".previous") || text_starts(text, ".subsection")) {
        e->data = false; /* not as compilers write variables: until the next section */
        opens = true;
    }
    return opens;
}

/* ".local x" and then ".comm x,4,4": the same as a variable in .bss. */
static bool write_common(editor *e, const char *text) {
    char name[LINE_SIZE], align[LINE_SIZE];
    unsigned long size, alignment;
    copy_name(name, after(text));
    const char *numbers = strchr(text, ',');
    if (!e->local[0] || strcmp(name, e->local) != 0 || !numbers ||
        sscanf(numbers, ",%lu,%lu", &size, &alignment) != 2) {
        return false;
    }
    fputs("\t.bss\n", e->base.out);
    snprintf(align, sizeof align, "\t.balign\t%lu\n", alignment);
    write_gap(e, align);
    fprintf(e->base.out, "\t.type\t%s, @object\n\t.size\t%s, %lu\n%s:\n\t.zero\t%lu\n", name, name,
            size, name, size);
    fprintf(e->base.out, "\t%s", e->section[0] ? e->section : ".text\n");
    e->local[0] = '\0';
    return true;
}

static void write_align(editor *e) {
    fputs(e->align, e->base.out);
    e->align[0] = '\0';
}

/* A directive that may stand between the alignment of a variable and its label. */
static bool is_about_name(const char *text) {
    return text_starts(text, ".globl") || text_starts(text, ".type") ||
           text_starts(text, ".size") || text_starts(text, ".hidden") ||
           text_starts(text, ".weak") || text_starts(text, ".protected") ||
           text_starts(text, ".internal");
}

static bool is_align(const char *text) {
    return text_starts(text, ".align") || text_starts(text, ".p2align") ||
           text_starts(text, ".balign");
}

/* gcc puts descriptions of arrays, for the check of their indices, between the variables. They are
 * no variables: a gap after the variable before would be missing, and their bytes would be part of
 * the program's state. */
static void move(editor *e, bool description) {
    if (description && e->data && !e->moved) {
        fputs("\t.section\t.data.rel.ro.local,\"aw\"\n", e->base.out);
    } else if (!description && e->moved) {
        fprintf(e->base.out, "\t%s", e->section);
    }
    e->moved = description && e->data;
}

static void edit_line(editor *e, const char *line) {
    const char *text = line + strspn(line, " \t");
    bool label = line_is_label(line, e->object);
    if (e->align[0] && !is_about_name(text) && !(label && e->data)) {
        write_align(e);
    }
    if (text_starts(text, "#APP") || text_starts(text, "#NO_APP")) {
        e->quoted = text_starts(text, "#APP");
    }
    if (e->quoted || enters(e, text)) {
        fputs(line, e->base.out);
        return;
    }
    if (text_starts(text, ".type") && line_has_type(text + strcspn(text, ","), "object")) {
        copy_name(e->object, after(text));
        move(e, text_starts(e->object, DESCRIPTION_NAME));
    } else if (is_align(text) && e->data) {
        snprintf(e->align, sizeof e->align, "%s", line);
        return;
    } else if (text_starts(text, ".local")) {
        copy_name(e->local, after(text));
    } else if (text_starts(text, ".comm") && write_common(e, text)) {
        return;
    } else if (label) {
        if (e->moved) {
            fputs(e->align, e->base.out);
        } else if (e->data) {
            write_gap(e, e->align);
            e->open = e->named;
        }
        e->object[0] = e->align[0] = '\0';
    }
    fputs(line, e->base.out);
}

static void write_last_gaps(editor *e) {
    close_section(e);
    fputs("\t.data\n", e->base.out);
    write_gap(e, "");
    fputs("\t.bss\n", e->base.out);
    write_gap(e, "");
    fputs("\t.text\n", e->base.out);
}

static void edit(line_editor *base, char *line) {
    editor *e = (editor *)base;
    if (line) {
        edit_line(e, line);
    } else if (e->count) {
        write_last_gaps(e);
        base->changed = true;
    }
}

bool gaps_edit(const char *assembly) {
    editor e = {.base.edit = edit};
    return lines_edit(&e.base, assembly);
}

bool gaps_find(const char *path, void (*visit)(void *, uintptr_t, uintptr_t), void *context) {
    return objects_visit_symbols(path, GAP_NAME, visit, context);
}
