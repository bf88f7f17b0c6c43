#define _GNU_SOURCE
#include "targets/native/marks.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "targets/native/assembly.h"
#include "targets/native/by_value.h"
#include "targets/native/instructions.h"
#include "targets/native/lines.h"
#include "targets/native/native.h"
#include "targets/native/sites.h"

enum { LABEL_SIZE = 32 };

typedef VECTOR(char) characters;

/* A record to be written at the end. */
typedef struct planned {
    enum site_kind kind;
    bool reached;
    char name[UNSEEN_NAME_SIZE], place[UNSEEN_PLACE_SIZE], subject[UNSEEN_NAME_SIZE];
} planned;

typedef struct editor {
    FILE *out;
    const char *text; /* the whole file */
    unseen_list *unseen;
    const undetermined_list *undetermined;
    VECTOR(planned) sites;
    VECTOR(const undetermined_call *) listed; /* calls whose values are to be written */
    char place[UNSEEN_PLACE_SIZE];            /* of the latest line directive */
    const char *source;
    unsigned line, column;             /* of the latest .loc */
    bool in_function, inside, outside; /* inside: assembly in a function; outside: outside of all */
    bool intel, macros, wide;          /* wide: registers that calls in between would not keep */
    by_value_lines lines;              /* since the last branch or call, not written yet */
    char announced[BY_VALUE_NAME_SIZE];
    bool written; /* the call before these lines announced a write */
    bool copies;  /* and the one after that a read, with no store in between: a struct copy */
    char result_of[UNSEEN_NAME_SIZE + 32]; /* the call whose result these lines copy, or "" */
    unsigned result_line;
    characters statement; /* inline assembly that was not written yet */
    bool elsewhere;       /* in it, in another section */
    bool fences;          /* it orders accesses: what heddle does not see, weak memory models do */
    char offending[UNSEEN_NAME_SIZE];
    char label[UNSEEN_NAME_SIZE]; /* outside: the function whose mark is still to come */
} editor;

static void name_label(char *label, uint32_t number) {
    snprintf(label, LABEL_SIZE, ".Lheddle_site%u", number);
}

/* A site here: what follows is about to run. */
static void mark(editor *e, enum site_kind kind, const char *name, const char *place,
                 const char *subject) {
    planned site = {.kind = kind};
    char label[LABEL_SIZE];
    name_label(label, e->sites.count);
    snprintf(site.name, sizeof site.name, "%s", name);
    snprintf(site.place, sizeof site.place, "%s", place);
    snprintf(site.subject, sizeof site.subject, "%s", subject);
    site.reached = !sites_write_mark(e->out, label, e->intel);
    vector_push(&e->sites, site);
}

/* ---- inline assembly ---- */

static void judge(void *context, char *instruction) {
    editor *e = context;
    const char *word = instruction + strspn(instruction, " \t");
    if (!e->intel && instruction_is_elsewhere(word, &e->elsewhere)) {
        return;
    }
    e->fences = e->fences || assembly_is_fence(word) || text_starts(word, "lock");
    if (!e->offending[0] && (e->intel ? *instruction && *instruction != '.'
                                      : !instruction_is_harmless(instruction, e->macros))) {
        instruction += strspn(instruction, " \t");
        size_t length = strlen(instruction);
        while (length && isspace((unsigned char)instruction[length - 1])) {
            length--;
        }
        snprintf(e->offending, sizeof e->offending, "%.*s", (int)length, instruction);
    }
}

/* The statement is complete. The mark comes before all of it: a line may be a prefix of the next.
 */
static void end_statement(editor *e) {
    vector_push(&e->statement, '\0');
    if (!e->intel && !e->wide && assembly_is_request(e->statement.items)) {
        assembly_write_request(e->out);
    }
    bool announced = (e->fences || (e->offending[0] && !e->wide)) && !e->intel && !e->macros &&
                     assembly_announce(e->statement.items, e->out);
    e->statement.count--;
    e->fences = e->elsewhere = false;
    if (announced) {
        vector_clear(&e->statement);
        e->offending[0] = '\0';
    }
    if (e->offending[0]) {
        mark(e, SITE_ASSEMBLY, e->offending, e->place, "");
        e->offending[0] = '\0';
    }
    fwrite(e->statement.items, 1, e->statement.count, e->out);
    vector_clear(&e->statement);
}

static void add_to_statement(editor *e, const char *line) {
    for (const char *at = line; *at; at++) {
        vector_push(&e->statement, *at);
    }
    char *copy = strdup(line);
    instructions_in_line(copy, judge, e);
    free(copy);
}

static void set_place(editor *e, const char *file, int length, unsigned long line) {
    snprintf(e->place, sizeof e->place, "%.*s:%lu", length, file, line);
}

/* gcc: # 9 "file.c" 1 */
static bool is_gcc_place(const char *line, const char **file, unsigned long *number) {
    char *end;
    *number = strtoul(line + (*line == '#'), &end, 10);
    *file = end + 2;
    return line[0] == '#' && line[1] == ' ' && isdigit((unsigned char)line[2]) &&
           text_starts(end, " \"");
}

static void inside_line(editor *e, const char *line) {
    const char *text = line + strspn(line, " \t"), *file;
    unsigned long number;
    if (is_gcc_place(text, &file, &number)) {
        end_statement(e);
        if (number) {
            set_place(e, file, (int)strcspn(file, "\""), number);
        }
        fputs(line, e->out);
    } else {
        add_to_statement(e, line);
    }
}

/* ---- assembly outside of functions ---- */

static void note_instruction(void *context, char *instruction) {
    editor *e = context;
    bool directive = *instruction == '.' || *instruction == '\0';
    if (!directive && e->label[0] && !e->macros) {
        mark(e, SITE_ASSEMBLY, e->label, e->source, "");
        e->label[0] = '\0';
    }
}

/* Labels that others may know begin functions, if instructions follow. */
static void outside_line(editor *e, const char *line) {
    for (size_t length; (length = instruction_label(line)); line += length) {
        size_t blank = strspn(line, " \t");
        if (!isdigit((unsigned char)line[blank]) && !text_starts(line + blank, ".L")) {
            snprintf(e->label, sizeof e->label, "%.*s", (int)(length - 1 - blank), line + blank);
        }
        fprintf(e->out, "%.*s\n", (int)length, line);
    }
    char *copy = strdup(line);
    copy[strcspn(copy, ";\n")] = '\0'; /* the first one */
    instructions_in_line(copy, note_instruction, e);
    free(copy);
    fputs(line, e->out);
}

/* ---- what the compiler does not announce ---- */

/* "call\tname@PLT", a clone of it, or a call by a pointer. */
static bool calls(const char *text, const char *callee) {
    if (!text_starts(text, "call")) {
        return false;
    }
    text += strcspn(text, " \t");
    text += strspn(text, " \t");
    size_t length = strlen(callee);
    return length ? text_starts(text, callee) && strchr("@.\n \t", text[length]) : *text == '*';
}

/* Whether the name is that of a function of this file. */
static bool is_function(const editor *e, const char *name) {
    char pattern[UNSEEN_NAME_SIZE + 32];
    snprintf(pattern, sizeof pattern, "\t.type\t%s, ", name);
    const char *found = strstr(e->text, pattern);
    return found && line_has_type(found + strlen(pattern), "function");
}

/* The symbol of a variable that may be a function of another file, or "". */
static const char *subject_of(const editor *e, const unseen *u) {
    char pattern[UNSEEN_NAME_SIZE + 32];
    snprintf(pattern, sizeof pattern, "\t%s@GOTPCREL(", u->variable);
    return u->variable[0] && strstr(e->text, pattern) ? u->variable : "";
}

static void mark_unseen(editor *e, unseen *u) {
    u->marked = true;
    if (!u->variable[0] || !is_function(e, u->variable)) {
        mark(e, u->kind, u->variable[0] ? u->variable : "it", u->place, subject_of(e, u));
    }
}

static void mark_builtins(editor *e) {
    for (uint32_t i = 0; i < e->unseen->count; i++) {
        unseen *u = &vector_at(e->unseen, i);
        if (u->kind != SITE_BY_VALUE && u->line == e->line && u->column == e->column) {
            mark_unseen(e, u);
        }
    }
}

/* Whether a struct in memory is an argument (or the result) of this call. */
static bool copies(const editor *e, const char *call, bool result) {
    for (uint32_t i = 0; call && i < e->unseen->count; i++) {
        const unseen *u = &vector_at(e->unseen, i);
        if (u->kind == SITE_BY_VALUE && u->result == result && u->line == e->line &&
            calls(call, u->callee)) {
            return true;
        }
    }
    return false;
}

/* Those of the call were announced; if not, they are marked here. */
static void finish_copies(editor *e, const char *call, unsigned line, bool result, bool announced) {
    for (uint32_t i = 0; i < e->unseen->count; i++) {
        unseen *u = &vector_at(e->unseen, i);
        if (u->kind == SITE_BY_VALUE && u->result == result && u->line == line &&
            calls(call, u->callee)) {
            if (announced) {
                u->marked = true;
            } else {
                mark_unseen(e, u);
            }
        }
    }
}

/* Lines with a copy of a struct; a mark for one that is not understood comes before the copy. */
static void write_copy(editor *e, const char *call, by_value_wish *wish) {
    char *text = NULL;
    size_t size = 0;
    FILE *lines = open_memstream(&text, &size);
    CHECK(lines != NULL);
    by_value_announce(&e->lines, wish, lines);
    CHECK(fclose(lines) == 0);
    if (wish->writes) {
        finish_copies(e, e->result_of, e->result_line, true, wish->has_written);
    }
    fwrite(text, 1, size, e->out);
    free(text);
    if (wish->reads) {
        finish_copies(e, call, e->line, false, wish->has_read);
    }
}

/* A callback for accesses of this kind (compound.h). */
static bool announces(const char *call, const char *kind) {
    const char *name = strstr(call, "__tsan_");
    return name && !strstr(name, "atomic") && strstr(name, kind);
}

/* The lines since the last branch or call are complete; `call` ends them, or NULL. */
static void end_lines(editor *e, const char *call) {
    char passed[BY_VALUE_NAME_SIZE] = "";
    if (call) {
        by_value_passed(&e->lines, call, passed);
    }
    bool copy = call && e->written && announces(call, "read") && !by_value_stores(&e->lines);
    by_value_wish wish = {.reads = copies(e, call, false),
                          .writes = e->result_of[0] != '\0',
                          .copies = e->copies,
                          .announced = e->announced};
    if (wish.reads || wish.writes) {
        write_copy(e, call, &wish);
    } else {
        by_value_announce(&e->lines, &wish, e->out);
    }
    e->written = call && announces(call, "write");
    e->copies = copy;
    snprintf(e->announced, sizeof e->announced, "%s", passed);
    e->result_of[0] = '\0';
    if (copies(e, call, true)) {
        snprintf(e->result_of, sizeof e->result_of, "%s", call);
        e->result_line = e->line;
    }
}

/* A call of which the program does not see the value. */
static bool replace_undetermined(editor *e, const char *text) {
    char callee[UNSEEN_NAME_SIZE];
    if (!e->undetermined->count || sscanf(text, "call %127[^@ \t\n]", callee) != 1) {
        return false;
    }
    enum undetermined_use use = undetermined_use_of(e->undetermined, callee, e->line, e->column);
    const undetermined_call *listed =
        undetermined_listed(e->undetermined, callee, e->line, e->column);
    if (use == USE_VALUE && listed) {
        fprintf(e->out, "\tleaq\t.Lheddle_values%u(%%rip), %%rdi\n\tcall\t%s%s@PLT\n",
                e->listed.count, UNDETERMINED_AMONG, callee);
        vector_push(&e->listed, listed);
        return true;
    }
    if (use == USE_VALUE) {
        return false;
    }
    fprintf(e->out, "\tcall\t%s%s@PLT\n", use == USE_NONE ? UNDETERMINED_IDLE : UNDETERMINED_TRUTH,
            callee);
    return true;
}

/* ---- lines ---- */

/* .loc 1 9 3; clang adds "# file.c:9:3". */
static void location(editor *e, const char *text) {
    sscanf(text, ".loc %*u %u %u", &e->line, &e->column);
    const char *comment = strstr(text, "# ");
    const char *colon = comment ? strchr(comment, ':') : NULL;
    if (colon) {
        set_place(e, comment + 2, (int)(colon - comment - 2), strtoul(colon + 1, NULL, 10));
    }
}

/* gcc makes some atomic updates of OpenMP itself, after the pass that announces accesses. clang
 * announces all of its own, and then loads 16 bytes by cmpxchg16b. */
static void locked_line(editor *e, const char *line, const char *text) {
    end_lines(e, NULL);
    if (!assembly_announce(text, e->out)) {
        if (!strstr(text, "cmpxchg16b")) {
            mark(e, SITE_ASSEMBLY, "lock", e->place, "");
        }
        fputs(line, e->out);
    }
}

static void plain_line(editor *e, const char *line, const char *text) {
    bool is_location = text_starts(text, ".loc") && isspace((unsigned char)text[4]);
    if (text_starts(text, ".cfi_startproc") || text_starts(text, ".cfi_endproc")) {
        e->in_function = text[5] == 's';
    } else if (text_starts(text, ".intel_syntax") || text_starts(text, ".att_syntax")) {
        e->intel = text[1] == 'i';
    }
    if (assembly_is_fence(text) && !e->intel) {
        end_lines(e, NULL);
        assembly_write_fence(e->out);
        fputs(line, e->out);
    } else if (text_starts(text, "lock") && isspace((unsigned char)text[4]) && !e->intel) {
        locked_line(e, line, text);
    } else if (strstr(text, "%fs:0,") && !e->intel) {
        end_lines(e, NULL);
        if (!assembly_write_thread_pointer(text, e->out)) {
            fputs(line, e->out);
        }
    } else if (e->unseen->count && !by_value_ends(line)) {
        by_value_add(&e->lines, line);
    } else {
        end_lines(e, text_starts(text, "call") ? text : NULL);
        if (!replace_undetermined(e, text)) {
            fputs(line, e->out);
        }
    }
    if (is_location) {
        location(e, text);
        mark_builtins(e);
    }
}

static void edit_line(void *context, char *line) {
    editor *e = context;
    const char *text = line + strspn(line, " \t");
    if (text_starts(text, "#APP") || text_starts(text, "# Start of file scope inline assembly")) {
        end_lines(e, NULL);
        e->inside = e->in_function;
        e->outside = !e->inside;
        fputs(line, e->out);
    } else if (text_starts(text, "#NO_APP") ||
               text_starts(text, "# End of file scope inline assembly")) {
        end_statement(e);
        e->inside = e->outside = false;
        e->label[0] = '\0';
        fputs(line, e->out);
    } else if (e->inside) {
        inside_line(e, line);
    } else if (e->outside && *text != '#') {
        outside_line(e, line);
    } else {
        plain_line(e, line, text);
    }
}

/* ---- the file ---- */

static void add_certain(editor *e, enum site_kind kind, const char *name, const char *place) {
    planned site = {.kind = kind, .reached = true};
    snprintf(site.name, sizeof site.name, "%s", name);
    snprintf(site.place, sizeof site.place, "%s", place);
    vector_push(&e->sites, site);
}

/* As heddle_nondet_among reads them. */
static void write_values(const editor *e) {
    for (uint32_t i = 0; i < e->listed.count; i++) {
        const undetermined_call *c = vector_at(&e->listed, i);
        const value_set *tried = &c->values.tried;
        fprintf(e->out, "\t.section .rodata\n\t.balign 8\n.Lheddle_values%u:\n", i);
        fprintf(e->out, "\t.quad %d, %u, %d, %u\n", c->values.alone, c->bits, c->is_signed,
                tried->count);
        for (uint32_t j = 0; j < tried->count; j++) {
            fprintf(e->out, "\t.quad 0x%llx, 0x%llx\n", (unsigned long long)vector_at(tried, j).low,
                    (unsigned long long)vector_at(tried, j).high);
        }
    }
}

static void write_records(editor *e) {
    for (uint32_t i = 0; i < e->sites.count; i++) {
        const planned *p = &vector_at(&e->sites, i);
        char label[LABEL_SIZE];
        name_label(label, i);
        sites_write_record(e->out, &(site_text){.label = label,
                                                .kind = p->kind,
                                                .reached = p->reached,
                                                .name = p->name,
                                                .place = p->place,
                                                .subject = p->subject[0] ? p->subject : NULL});
    }
}

static void edit_text(editor *e) {
    FILE *in = fmemopen((void *)e->text, strlen(e->text), "r");
    e->wide = strstr(e->text, "%ymm") || strstr(e->text, "%zmm");
    e->macros = strstr(e->text, ".macro") || strstr(e->text, ".include");
    if (in) {
        lines_read(in, edit_line, e);
        fclose(in);
    }
    end_lines(e, NULL);
    if (e->macros) {
        add_certain(e, SITE_ASSEMBLY, "macros of the assembler", e->source);
    }
    for (uint32_t i = 0; i < e->unseen->count; i++) {
        const unseen *u = &vector_at(e->unseen, i);
        if (!u->marked && !(u->variable[0] && is_function(e, u->variable))) {
            add_certain(e, u->kind, u->variable[0] ? u->variable : "it", u->place);
        }
    }
}

static char *read_file(const char *path) {
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;
    if (file && getdelim(&text, &size, '\0', file) < 0) {
        free(text);
        text = NULL;
    }
    if (file) {
        fclose(file);
    }
    return text;
}

bool marks_edit(const char *assembly, const char *source, unseen_list *found,
                const undetermined_list *undetermined, bool atomic) {
    char *text = read_file(assembly);
    editor e = {.text = text, .unseen = found, .undetermined = undetermined, .source = source};
    e.out = text ? fopen(assembly, "w") : NULL;
    if (e.out) {
        snprintf(e.place, sizeof e.place, "%s", source);
        edit_text(&e);
        if (!atomic) {
            add_certain(&e, SITE_NOT_ATOMIC, "a function", source);
        }
        write_records(&e);
        write_values(&e);
    }
    bool good = e.out && !ferror(e.out);
    good = (!e.out || fclose(e.out) == 0) && good;
    vector_free(&e.sites);
    vector_free(&e.listed);
    vector_free(&e.statement);
    vector_free(&e.lines.text);
    vector_free(&e.lines.starts);
    free(text);
    return good;
}
