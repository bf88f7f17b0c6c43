#define _GNU_SOURCE
#include "native/gaps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "native/native.h"
#include "native/objects.h"

#define GAP_NAME "heddle_gap_"
enum { GAP_SIZE = 32, LINE_SIZE = 512 };

typedef struct editor {
    FILE *out;
    bool data;               /* in a section whose variables get gaps */
    bool quoted;             /* the program's own assembly */
    char object[LINE_SIZE];  /* the variable whose label is to come */
    char local[LINE_SIZE];   /* the variable that is to be in .bss, by .comm */
    char section[LINE_SIZE]; /* the line that opened the present section */
    char align[LINE_SIZE];   /* of the variable to come */
    uint32_t count;
} editor;

static bool starts(const char *text, const char *word) {
    return strncmp(text, word, strlen(word)) == 0;
}

/* The name behind a directive. */
static void copy_name(char *name, const char *text) {
    size_t length = strcspn(text, " \t,\n:");
    snprintf(name, LINE_SIZE, "%.*s", (int)(length < LINE_SIZE ? length : 0), text);
}

static const char *after(const char *text) {
    text += strcspn(text, " \t\n");
    return text + strspn(text, " \t");
}

static bool has_gaps(const char *name) {
    return (starts(name, ".data") && !starts(name, ".data.rel.ro")) || starts(name, ".bss");
}

/* True if the line opens a section. */
static bool enters(editor *e, const char *text) {
    char name[LINE_SIZE];
    if (starts(text, ".section") || starts(text, ".pushsection")) {
        copy_name(name, after(text));
    } else {
        copy_name(name, text);
    }
    bool plain =
        strcmp(name, ".data") == 0 || strcmp(name, ".bss") == 0 || strcmp(name, ".text") == 0;
    bool opens = starts(text, ".section") || plain;
    if (opens) {
        e->data = has_gaps(name);
        snprintf(e->section, sizeof e->section, "%s", text);
        e->align[0] = '\0';
    } else if (starts(text, ".pushsection") || starts(text, ".popsection") ||
               starts(text, ".previous") || starts(text, ".subsection")) {
        e->data = false; /* not as compilers write variables: until the next section */
        opens = true;
    }
    return opens;
}

/* A gap at the present place, and the alignment of what follows. */
static void write_gap(editor *e, const char *align) {
    uint32_t number = e->count++;
    fprintf(e->out, "\t.type\t" GAP_NAME "%u, @object\n", number);
    fprintf(e->out, GAP_NAME "%u:\n\t.zero\t%d\n\t.balign\t8\n%s", number, GAP_SIZE, align);
    fprintf(e->out, ".Lheddle_gap_end_%u:\n", number);
    fprintf(e->out, "\t.size\t" GAP_NAME "%u, .Lheddle_gap_end_%u - " GAP_NAME "%u\n", number,
            number, number);
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
    fputs("\t.bss\n", e->out);
    snprintf(align, sizeof align, "\t.balign\t%lu\n", alignment);
    write_gap(e, align);
    fprintf(e->out, "\t.type\t%s, @object\n\t.size\t%s, %lu\n%s:\n\t.zero\t%lu\n", name, name, size,
            name, size);
    fprintf(e->out, "\t%s", e->section[0] ? e->section : ".text\n");
    e->local[0] = '\0';
    return true;
}

static void edit_line(editor *e, const char *line) {
    const char *text = line + strspn(line, " \t");
    if (starts(text, "#APP") || starts(text, "#NO_APP")) {
        e->quoted = starts(text, "#APP");
    }
    if (e->quoted || enters(e, text)) {
        fputs(line, e->out);
        return;
    }
    char label[LINE_SIZE];
    copy_name(label, line);
    if (starts(text, ".type") && strstr(text, "@object")) {
        copy_name(e->object, after(text));
    } else if (starts(text, ".align") || starts(text, ".p2align") || starts(text, ".balign")) {
        snprintf(e->align, sizeof e->align, "%s", line);
    } else if (starts(text, ".local")) {
        copy_name(e->local, after(text));
    } else if (starts(text, ".comm") && write_common(e, text)) {
        return;
    } else if (line[0] != '\t' && line[strcspn(line, ":\n")] == ':' && e->object[0] &&
               strcmp(label, e->object) == 0) {
        if (e->data) {
            write_gap(e, e->align);
        }
        e->object[0] = e->align[0] = '\0';
    }
    fputs(line, e->out);
}

/* What comes next may be of an object without gaps. */
static void write_last_gaps(editor *e) {
    fputs("\t.data\n", e->out);
    write_gap(e, "");
    fputs("\t.bss\n", e->out);
    write_gap(e, "");
    fputs("\t.text\n", e->out);
}

bool gaps_edit(const char *assembly) {
    char edited[NATIVE_PATH_SIZE + 16];
    snprintf(edited, sizeof edited, "%s.gaps", assembly);
    FILE *in = fopen(assembly, "r");
    editor e = {.out = fopen(edited, "w")};
    bool good = in && e.out;
    char *line = NULL;
    size_t room = 0;
    while (good && getline(&line, &room, in) > 0) {
        edit_line(&e, line);
    }
    free(line);
    if (good && e.count) {
        write_last_gaps(&e);
    }
    good = good && !ferror(in) && !ferror(e.out);
    good = (!in || fclose(in) == 0) && good;
    good = (!e.out || fclose(e.out) == 0) && good;
    return good && (e.count ? rename(edited, assembly) : remove(edited)) == 0;
}

bool gaps_find(const char *path, void (*visit)(void *, uintptr_t, uintptr_t), void *context) {
    return objects_visit_symbols(path, GAP_NAME, visit, context);
}
