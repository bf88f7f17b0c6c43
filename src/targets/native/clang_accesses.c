#include "targets/native/clang_accesses.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "targets/native/by_value.h"
#include "targets/native/lines.h"
#include "targets/native/memory_operand.h"

typedef struct editor {
    line_editor base;
    long read, write;    /* bytes that were announced and not accessed yet */
    unsigned file, line; /* of the source, that they belong to */
    bool quoted;         /* the program's own assembly */
} editor;

/* ---- what is announced ---- */

/* "__tsan_unaligned_volatile_read8": the number; 0: it announces something else. */
static long announced_size(const char *name, bool *reads, bool *writes) {
    static const char *const prefixes[] = {"__tsan_", "unaligned_", "volatile_"};
    long size = 0;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        name += text_starts(name, prefixes[i]) ? strlen(prefixes[i]) : 0;
    }
    *reads = text_starts(name, "read");
    name += *reads ? strlen("read") : 0;
    name += *reads && text_starts(name, "_write") ? 1 : 0;
    *writes = text_starts(name, "write");
    name += *writes ? strlen("write") : 0;
    return sscanf(name, "%ld", &size) == 1 ? size : 0;
}

/* Of an atomic access, made by the callback: the instruction that it has replaced may still be
 * there, and what it loads is not used. */
static long replaced_size(const char *name) {
    long bits = 0;
    return sscanf(name, "__tsan_atomic%ld_", &bits) == 1 ? bits / 8 : 0;
}

static void note_call(editor *e, const char *text) {
    bool reads = false, writes = false;
    const char *name = strstr(text, "__tsan_");
    if (strstr(text, "__tls_get_addr")) {
        return;
    }
    long size = name ? replaced_size(name) : 0;
    if (size) {
        reads = writes = true;
    } else {
        size = name ? announced_size(name, &reads, &writes) : 0;
    }
    e->read = reads ? size : 0;
    e->write = writes ? size : 0;
}

static void note_place(editor *e, const char *text) {
    unsigned file, line;
    if (sscanf(text, ".loc %u %u", &file, &line) == 2) {
        if (file != e->file || line != e->line) {
            e->read = e->write = 0;
        }
        e->file = file;
        e->line = line;
    }
}

/* ---- what instructions access ---- */

static bool is_silent(const char *text) {
    static const char *const words[] = {"lea",      "nop",  "data16", "call",
                                        "prefetch", "push", "pop",    "lock"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (text_starts(text, words[i])) {
            return true;
        }
    }
    return *text == '.' || *text == '#' || *text == 'j' || !strchr(text, '(') ||
           strstr(text, "@GOTPCREL(") || strstr(text, "%st(") || strstr(text, ".LCPI");
}

static bool only_looks(const char *text) {
    return text_starts(text, "cmp") || text_starts(text, "test") || text_starts(text, "ucomis") ||
           text_starts(text, "comis") || text_starts(text, "bt") || text_starts(text, "fld") ||
           text_starts(text, "fild") || text_starts(text, "mul") || text_starts(text, "imul") ||
           text_starts(text, "div") || text_starts(text, "idiv") || text_starts(text, "fadd") ||
           text_starts(text, "fmul") || text_starts(text, "fsub") || text_starts(text, "fdiv");
}

static bool only_stores(const char *text) {
    return text_starts(text, "mov") || text_starts(text, "fst") || text_starts(text, "fist") ||
           text_starts(text, "fnst") || text_starts(text, "set");
}

/* ---- editing ---- */

static bool was_announced(long *left, long size) {
    bool enough = *left >= size;
    *left -= enough ? size : *left;
    return enough;
}

static void announce(editor *e, const char *text) {
    memory_operand at;
    const char *last = memory_operand_last(text), *first = text + strcspn(text, " \t");
    bool last_is = memchr(last, '(', strcspn(last, "#\n")) != NULL;
    const char *operand = last_is ? last : first + strspn(first, " \t");
    if (!memory_operand_parse(operand, &at) || strstr(at.key, "(%rbp") || strstr(at.key, "(%rsp")) {
        return;
    }
    bool stores = last_is && !only_looks(text);
    bool loads = !stores || !only_stores(text);
    long size = memory_operand_size(text);
    size = size ? size : 1;
    if (loads && !was_announced(&e->read, size)) {
        memory_operand_announce(&at, 0, size, "heddle_struct_read_x87", e->base.out);
        e->base.changed = true;
    }
    if (stores && !was_announced(&e->write, size)) {
        memory_operand_announce(&at, 0, size, "heddle_struct_written_x87", e->base.out);
        e->base.changed = true;
    }
}

/* "rep;movsq (%rsi), %es:(%rdi)": to where the arguments of a call are, of the thread's own. */
static void announce_repeated(editor *e, const char *text) {
    const char *moves = strstr(text, "movs");
    long size = moves ? memory_operand_letter_size(moves[4]) : 0;
    if (size) {
        fprintf(e->base.out,
                "\tpushq\t%%rdi\n\tpushq\t%%rsi\n\tmovq\t%%rsi, %%rdi\n"
                "\tleaq\t(,%%rcx,%ld), %%rsi\n\tcall\theddle_struct_read_x87@PLT\n"
                "\tpopq\t%%rsi\n\tpopq\t%%rdi\n",
                size);
        e->base.changed = true;
    }
}

static void edit(line_editor *base, char *line) {
    editor *e = (editor *)base;
    const char *text = line ? line + strspn(line, " \t") : "";
    if (!line) {
        return;
    }
    if (text_starts(text, "#APP") || text_starts(text, "#NO_APP")) {
        e->quoted = text_starts(text, "#APP");
    }
    note_place(e, text);
    if (text_starts(text, "call")) {
        note_call(e, text);
    } else if (by_value_ends(line)) {
        e->read = e->write = 0;
    } else if (!e->quoted && text_starts(text, "rep")) {
        announce_repeated(e, text);
    } else if (!e->quoted && text != line && !is_silent(text)) {
        announce(e, text);
    }
    fputs(line, base->out);
}

bool clang_accesses_edit(const char *assembly) {
    editor e = {.base.edit = edit};
    return lines_edit(&e.base, assembly);
}

/* ---- what is not understood ---- */

typedef struct finder {
    unseen_list *found;
    unseen here; /* the place of the latest .loc */
} finder;

static bool is_masked(const char *text) {
    static const char *const names[] = {"maskmov", "pmaskmov", "gather",   "pgather",
                                        "scatter", "pscatter", "movdir64b"};
    const char *bare = text + (*text == 'v');
    return text_starts_with_any(bare, names, sizeof names / sizeof *names) ||
           (strstr(text, "{%k") && strchr(text, '('));
}

/* .loc 1 9 3 # file.c:9:3 */
static void find_masked(void *context, char *line) {
    finder *f = context;
    const char *text = line + strspn(line, " \t");
    unseen *here = &f->here;
    if (sscanf(text, ".loc %*u %u %u", &here->line, &here->column) == 2) {
        const char *comment = strstr(text, "# "), *colon = comment ? strchr(comment, ':') : NULL;
        here->place[0] = '\0';
        if (colon) {
            snprintf(here->place, sizeof here->place, "%.*s:%u", (int)(colon - comment - 2),
                     comment + 2, here->line);
        }
    } else if (is_masked(text)) {
        snprintf(here->variable, sizeof here->variable, "%.*s", (int)strcspn(text, " \t\n"), text);
        vector_push(f->found, *here);
    }
}

void clang_accesses_find_masked(const char *assembly, unseen_list *found) {
    finder f = {.found = found, .here.kind = SITE_MACHINE};
    FILE *file = fopen(assembly, "r");
    if (file) {
        lines_read(file, find_masked, &f);
        fclose(file);
    }
}
