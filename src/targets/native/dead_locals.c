#include "targets/native/dead_locals.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "targets/native/frame_code.h"
#include "targets/native/lines.h"

#ifdef __x86_64__

/* Where a variable of a function starts, from the debug information; the function is known by the
 * number of its first label, .LFB. */
typedef struct variable_start {
    unsigned function;
    long offset;
} variable_start;

typedef struct editor {
    line_editor base;
    VECTOR(char) text; /* of the function, so far */
    unsigned function;
    bool in_function;
    VECTOR(variable_start) starts;
    VECTOR(unsigned) twice; /* functions that call something that returns twice */
    frame_offsets own;      /* of the current function */
    VECTOR(frame_set) live, dirty;
    uint32_t count;
} editor;

/* ---- debug information ---- */

enum {
    LOCATION_OF_FRAME = 0x91, /* DW_OP_fbreg: the distance from the end of the caller's frame */
    SAVED_SIZE = 16,          /* that %rbp is below it */
};

typedef struct reader {
    editor *editor;
    bool inside; /* of the section */
    bool known;  /* the function */
    unsigned function, size, operation;
    bool nested; /* functions in functions, which know the frames of others */
} reader;

static void read_information(void *context, char *line) {
    reader *r = context;
    unsigned number;
    long offset;
    char name[256], type[16], sign;
    const char *text = line + strspn(line, " \t");
    if (text_starts(text, ".section")) {
        r->inside = strstr(text, ".debug_info") != NULL;
        r->known = false;
    } else if (sscanf(text, ".type %255[^,], %c%15[a-z]", name, &sign, type) == 3 &&
               strcmp(type, "function") == 0 && strchr(name, '.')) {
        r->nested = true;
    } else if (r->inside && sscanf(text, ".quad .LFB%u", &number) == 1) {
        r->function = number;
        r->known = true;
    } else if (r->known && r->operation == LOCATION_OF_FRAME && r->size &&
               sscanf(text, ".sleb128 %ld", &offset) == 1) {
        vector_push(&r->editor->starts, (variable_start){r->function, offset + SAVED_SIZE});
    }
    bool operation = r->size && sscanf(text, ".byte %x", &number) == 1;
    r->operation = operation ? number : 0;
    r->size = operation ? r->size : sscanf(text, ".uleb128 %x", &number) == 1 ? number : 0;
}

/* False: there is nothing to be done. */
static bool read_starts(editor *e, const char *assembly) {
    reader r = {.editor = e};
    FILE *file = fopen(assembly, "r");
    if (!file) {
        return false;
    }
    lines_read(file, read_information, &r);
    fclose(file);
    return !r.nested;
}

/* ---- the compiler's dump ---- */

static void read_dump_line(void *context, char *line) {
    reader *r = context;
    const char *number = text_starts(line, ";; Function ") ? strstr(line, "funcdef_no=") : NULL;
    if (number) {
        r->known = sscanf(number, "funcdef_no=%u", &r->function) == 1;
    } else if (r->known && strstr(line, ".ABNORMAL_DISPATCHER")) {
        vector_push(&r->editor->twice, r->function);
        r->known = false;
    }
}

static void read_dump(editor *e, const char *dump) {
    reader r = {.editor = e};
    FILE *file = fopen(dump, "r");
    if (file) {
        lines_read(file, read_dump_line, &r);
        fclose(file);
    }
}

static bool returns_twice(const editor *e) {
    return vector_contains(&e->twice, e->function);
}

/* ---- what is alive ---- */

static bool merge(frame_set *into, const frame_set *from) {
    bool changed = false;
    for (uint32_t w = 0; w < FRAME_WORDS; w++) {
        changed |= (from->words[w] & ~into->words[w]) != 0;
        into->words[w] |= from->words[w];
    }
    return changed;
}

static void add_all(frame_set *s) {
    memset(s, 0xff, sizeof *s);
}

/* What may be read after the line, before it is written. */
static frame_set live_after(const editor *e, const frame_code *f, uint32_t i) {
    const frame_line *l = &vector_at(&f->lines, i);
    frame_set live = {{0}};
    for (uint32_t k = 0; l->returns && k < FRAME_REGISTERS; k++) {
        frame_set_add(&live, k);
    }
    if (l->anywhere || (l->goes_on && i + 1 == f->lines.count)) {
        add_all(&live);
        return live;
    }
    if (l->goes_on) {
        merge(&live, &vector_at(&e->live, i + 1));
    }
    if (l->target != FRAME_NOWHERE) {
        merge(&live, &vector_at(&e->live, l->target));
    }
    return live;
}

static void find_live(editor *e, const frame_code *f) {
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t i = f->lines.count; i-- > 0;) {
            const frame_line *l = &vector_at(&f->lines, i);
            frame_set live = live_after(e, f, i);
            for (uint32_t w = 0; w < FRAME_WORDS; w++) {
                live.words[w] = (live.words[w] & ~l->writes.words[w]) | l->reads.words[w];
            }
            changed |= merge(&vector_at(&e->live, i), &live);
        }
    }
}

/* ---- what is to be cleared ---- */

/* Before the line. */
static frame_set clearable(const editor *e, const frame_code *f, uint32_t line) {
    frame_set s = {{0}};
    for (uint32_t w = 0; vector_at(&f->lines, line).parks && w < FRAME_WORDS; w++) {
        s.words[w] =
            f->written.words[w] & ~f->unclear.words[w] & ~vector_at(&e->live, line).words[w];
    }
    return s;
}

/* What may have been written since it was cleared last, after the line. */
static frame_set dirty_after(const editor *e, const frame_code *f, uint32_t i) {
    const frame_line *l = &vector_at(&f->lines, i);
    frame_set dirty = vector_at(&e->dirty, i);
    frame_set cleared = clearable(e, f, i);
    for (uint32_t w = 0; w < FRAME_WORDS; w++) {
        dirty.words[w] &= ~cleared.words[w];
    }
    merge(&dirty, &l->reads); /* it may also be written */
    merge(&dirty, &l->writes);
    return dirty;
}

static void find_dirty(editor *e, const frame_code *f) {
    bool changed = true;
    add_all(&vector_at(&e->dirty, 0));
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < f->lines.count; i++) {
            const frame_line *l = &vector_at(&f->lines, i);
            frame_set dirty = dirty_after(e, f, i);
            if (l->goes_on && i + 1 < f->lines.count) {
                changed |= merge(&vector_at(&e->dirty, i + 1), &dirty);
            }
            if (l->target != FRAME_NOWHERE) {
                changed |= merge(&vector_at(&e->dirty, l->target), &dirty);
            }
            for (uint32_t k = 0; l->anywhere && k < f->labels.count; k++) {
                changed |= merge(&vector_at(&e->dirty, vector_at(&f->labels, k)), &dirty);
            }
        }
    }
}

static bool has_bytes(const frame_set *s, long offset, long size) {
    bool all = offset % size == 0;
    for (long at = offset; all && at < offset + size; at++) {
        all = at < 0 && frame_set_has(s, frame_part_at(at));
    }
    return all;
}

static void write_clears(const frame_set *s, FILE *out) {
    static const char suffixes[] = {[1] = 'b', [2] = 'w', [4] = 'l', [8] = 'q'};
    for (uint32_t i = 0; i < FRAME_REGISTERS; i++) {
        if (frame_set_has(s, i)) {
            fprintf(out, "\t%s\n", frame_register_clear(i));
        }
    }
    for (long at = -FRAME_BYTES, size; at < 0; at += size) {
        for (size = 8; size > 1 && !has_bytes(s, at, size);) {
            size /= 2;
        }
        if (has_bytes(s, at, size)) {
            fprintf(out, "\tmov%c\t$0, %ld(%%rbp)\n", suffixes[size], at);
        }
    }
}

/* Before the line. */
static void clear_dead(editor *e, const frame_code *f, uint32_t line) {
    FILE *out = e->base.out;
    frame_set s = clearable(e, f, line);
    bool any = false;
    for (uint32_t w = 0; w < FRAME_WORDS; w++) {
        s.words[w] &= vector_at(&e->dirty, line).words[w];
        any |= s.words[w] != 0;
    }
    if (any) {
        fprintf(out, "\tmovq\theddle_loops_are_watched@GOTPCREL(%%rip), %%r11\n");
        fprintf(out, "\tcmpb\t$0, (%%r11)\n\tje\t.Lheddle_dead%u\n", e->count);
        write_clears(&s, out);
        fprintf(out, ".Lheddle_dead%u:\n", e->count++);
        e->base.changed = true;
    }
}

/* ---- functions ---- */

static void clear_sets(editor *e, uint32_t count) {
    vector_clear(&e->live);
    vector_clear(&e->dirty);
    for (uint32_t i = 0; i < count; i++) {
        vector_push(&e->live, (frame_set){{0}});
        vector_push(&e->dirty, (frame_set){{0}});
    }
}

static void find_own_starts(editor *e) {
    vector_clear(&e->own);
    for (uint32_t i = 0; i < e->starts.count; i++) {
        if (vector_at(&e->starts, i).function == e->function) {
            vector_push(&e->own, vector_at(&e->starts, i).offset);
        }
    }
}

static void end_function(editor *e) {
    frame_code f = {0};
    vector_push(&e->text, '\0');
    find_own_starts(e);
    if (returns_twice(e) || !frame_code_read(&f, e->text.items, &e->own)) {
        fputs(e->text.items, e->base.out);
    } else {
        clear_sets(e, f.lines.count);
        find_live(e, &f);
        find_dirty(e, &f);
        for (uint32_t i = 0; i < f.lines.count; i++) {
            const frame_line *l = &vector_at(&f.lines, i);
            clear_dead(e, &f, i);
            fwrite(f.text + l->start, 1, l->length, e->base.out);
        }
    }
    frame_code_free(&f);
    vector_clear(&e->text);
    e->in_function = false;
}

static void edit(line_editor *base, char *line) {
    editor *e = (editor *)base;
    const char *text = line ? line + strspn(line, " \t") : "";
    e->in_function = e->in_function || text_starts(text, ".cfi_startproc");
    if (!e->in_function) {
        sscanf(text, ".LFB%u:", &e->function);
        fputs(line ? line : "", base->out);
        return;
    }
    vector_append(&e->text, line, line ? (uint32_t)strlen(line) : 0);
    if (!line || text_starts(text, ".cfi_endproc")) {
        end_function(e);
    }
}

bool dead_locals_edit(const char *assembly, const char *dump) {
    editor e = {.base.edit = edit};
    read_dump(&e, dump);
    bool good = !read_starts(&e, assembly) || lines_edit(&e.base, assembly);
    vector_free(&e.text);
    vector_free(&e.starts);
    vector_free(&e.twice);
    vector_free(&e.own);
    vector_free(&e.live);
    vector_free(&e.dirty);
    return good;
}

#else

bool dead_locals_edit(const char *assembly, const char *dump) {
    (void)assembly;
    (void)dump;
    return true;
}

#endif
