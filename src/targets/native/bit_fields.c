#include "targets/native/bit_fields.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/vector.h"
#include "targets/native/by_value.h"
#include "targets/native/lines.h"
#include "targets/native/memory_operand.h"

/* A load or a store. */
typedef struct memory_use {
    uint32_t line;
    memory_operand at;
    long size;
    bool open;          /* of a load: its registers are as they were */
    bool stores, alone; /* and by itself it loads as well */
    bool announced;
} memory_use;

typedef struct editor {
    line_editor base;
    by_value_lines lines; /* since the announcement, which is the first; not written yet */
    VECTOR(memory_use) uses;
    bool own;              /* what is announced is in the frame of the function */
    bool stored;           /* something was stored, so that this is known */
    bool found;            /* a bit-field */
    bool ended;            /* the rest is another line of the source */
    unsigned file, source; /* the line of the source, of what is announced */
    unsigned last_file, last_source;
} editor;

static const char *text_at(const editor *e, uint32_t line) {
    const char *text = &vector_at(&e->lines.text, vector_at(&e->lines.starts, line));
    return text + strspn(text, " \t");
}

/* How many bytes the callback announces that the line calls, "16" or "range", or NULL. */
static const char *announced_write(const char *line) {
    static const char *const names[] = {"__tsan_write", "__tsan_unaligned_write",
                                        "__tsan_volatile_write", "__tsan_unaligned_volatile_write"};
    const char *text = line + strspn(line, " \t"), *name = strstr(text, "__tsan_");
    if (!text_starts(text, "call") || !name) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (text_starts(name, names[i])) {
            return name + strlen(names[i]);
        }
    }
    return NULL;
}

/* ---- what the instructions do ---- */

/* Of "andb" for "and". 0: another word. */
static long size_of_word(const char *text, const char *word) {
    size_t length = strlen(word);
    bool is = text_starts(text, word) && strcspn(text, " \t\n") == length + 1;
    return is ? memory_operand_letter_size(text[length]) : 0;
}

static long size_of_change(const char *text) {
    static const char *const words[] = {"and", "or",  "xor", "add", "sub",
                                        "not", "neg", "inc", "dec"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        long size = size_of_word(text, words[i]);
        if (size) {
            return size;
        }
    }
    return 0;
}

static bool same_place(const memory_use *a, const memory_use *b) {
    return a->at.displacement == b->at.displacement && strcmp(a->at.key, b->at.key) == 0;
}

static bool is_loaded(const editor *e, const memory_use *store) {
    for (uint32_t i = 0; i < e->uses.count; i++) {
        const memory_use *use = &vector_at(&e->uses, i);
        if (!use->stores && use->open && same_place(use, store)) {
            return true;
        }
    }
    return false;
}

static void add_store(editor *e, const char *text, memory_use *use) {
    bool own = strstr(use->at.key, "(%rbp") || strstr(use->at.key, "(%rsp");
    if (!e->stored) {
        e->own = own;
    }
    e->stored = true;
    use->stores = true;
    use->size = size_of_word(text, "mov");
    if (!use->size) {
        use->size = size_of_change(text);
        use->alone = use->size != 0;
    }
    if ((!own || e->own) && use->size) {
        e->found = e->found || use->alone || is_loaded(e, use);
        use->announced = e->found;
        vector_push(&e->uses, *use);
    }
}

static void add_line(editor *e, uint32_t line) {
    const char *text = text_at(e, line);
    e->ended = e->ended || e->last_file != e->file || e->last_source != e->source;
    if (e->ended || *text == '.' || *text == '#' || text_starts(text, "lea") ||
        text_starts(text, "data16") || text_starts(text, "nop") || text_starts(text, "cmp") ||
        text_starts(text, "test") || text_starts(text, "push")) {
        return;
    }
    memory_use use = {.line = line, .open = true};
    const char *last = memory_operand_last(text), *first = text + strcspn(text, " \t");
    bool last_is = memchr(last, '(', strcspn(last, "#\n")) != NULL;
    if (last_is && memory_operand_parse(last, &use.at)) {
        add_store(e, text, &use);
    } else if (!last_is && memory_operand_parse(first + strspn(first, " \t"), &use.at)) {
        vector_push(&e->uses, use);
    }
}

static void close_changed(editor *e, const char *text) {
    for (uint32_t i = 0; i < e->uses.count; i++) {
        memory_use *use = &vector_at(&e->uses, i);
        use->open = use->open && !memory_operand_changed(text, use->at.key);
    }
}

/* ---- writing ---- */

/* A later load, of a field that is stored in parts: the step before it has ended by then. */
static bool needs_read(const editor *e, uint32_t load) {
    const memory_use *wanted = &vector_at(&e->uses, load);
    bool after = false;
    for (uint32_t i = 0; i < load; i++) {
        after = after || vector_at(&e->uses, i).announced;
    }
    for (uint32_t i = load + 1; after && !wanted->stores && i < e->uses.count; i++) {
        const memory_use *use = &vector_at(&e->uses, i);
        if (use->announced && same_place(use, wanted)) {
            return true;
        }
    }
    return wanted->alone && after;
}

static long size_at(const editor *e, uint32_t number) {
    const memory_use *wanted = &vector_at(&e->uses, number);
    for (uint32_t i = number; i < e->uses.count; i++) {
        const memory_use *use = &vector_at(&e->uses, i);
        if (use->size && same_place(use, wanted)) {
            return use->size;
        }
    }
    return 1;
}

/* "andb $15, (%rax)" as a load, the change, and the store. */
static void write_apart(const memory_use *use, const char *text, const char *function, FILE *out) {
    static const char *const names[2][9] = {{0, "r11b", "r11w", 0, "r11d", 0, 0, 0, "r11"},
                                            {0, "r10b", "r10w", 0, "r10d", 0, 0, 0, "r10"}};
    bool other = strstr(text, "r11") != NULL;
    const char *whole = names[other][8], *part = names[other][use->size];
    size_t word = strcspn(text, " \t");
    char letter = text[word - 1];
    const char *last = memory_operand_last(text);
    fprintf(out, "\tpushq\t%%%s\n\tmov%c\t", whole, letter);
    memory_operand_write(&use->at, 8, out);
    fprintf(out, ", %%%s\n", part);
    memory_operand_announce(&use->at, 8, use->size, function, out);
    fprintf(out, "\t%.*s%%%s\n\tmov%c\t%%%s, ", (int)(last - text), text, part, letter, part);
    memory_operand_write(&use->at, 8, out);
    fprintf(out, "\n\tpopq\t%%%s\n", whole);
}

static bool is_volatile(const editor *e) {
    return strstr(text_at(e, 0), "__tsan_volatile") || strstr(text_at(e, 0), "_volatile_write");
}

/* In place of the callback. */
static void write_read(editor *e) {
    unsigned size;
    if (sscanf(announced_write(text_at(e, 0)), "%u", &size) == 1) {
        fprintf(e->base.out, "\tmovl\t$%u, %%esi\n", size);
    }
    fprintf(e->base.out, "\tcall\t__tsan_%sread_bits@PLT\n", is_volatile(e) ? "volatile_" : "");
    e->base.changed = true;
}

static void write_use(editor *e, uint32_t number, const char *line) {
    const memory_use *use = &vector_at(&e->uses, number);
    if (needs_read(e, number)) {
        memory_operand_announce(&use->at, 0, size_at(e, number), "heddle_struct_read", e->base.out);
    }
    const char *function =
        is_volatile(e) ? "heddle_struct_written_volatile_bits" : "heddle_struct_written_bits";
    if (use->announced && use->alone) {
        write_apart(use, text_at(e, use->line), function, e->base.out);
        return;
    }
    if (use->announced) {
        memory_operand_announce(&use->at, 0, use->size, function, e->base.out);
    }
    fputs(line, e->base.out);
}

static void write_lines(editor *e) {
    uint32_t next = 0;
    for (uint32_t i = 0; i < e->lines.starts.count; i++) {
        const char *line = &vector_at(&e->lines.text, vector_at(&e->lines.starts, i));
        if (e->found && i == 0) {
            write_read(e);
        } else if (e->found && next < e->uses.count && vector_at(&e->uses, next).line == i) {
            write_use(e, next++, line);
        } else {
            fputs(line, e->base.out);
        }
    }
    vector_clear(&e->lines.text);
    vector_clear(&e->lines.starts);
    vector_clear(&e->uses);
    e->stored = e->found = e->ended = false;
}

static void edit(line_editor *base, char *line) {
    editor *e = (editor *)base;
    if (!line || by_value_ends(line)) {
        write_lines(e);
    }
    if (!line) {
        return;
    }
    sscanf(line, " .loc %u %u", &e->last_file, &e->last_source);
    if (announced_write(line)) {
        e->file = e->last_file;
        e->source = e->last_source;
        by_value_add(&e->lines, line);
    } else if (e->lines.starts.count) {
        by_value_add(&e->lines, line);
        uint32_t last = e->lines.starts.count - 1;
        add_line(e, last);
        close_changed(e, text_at(e, last));
    } else {
        fputs(line, base->out);
    }
}

bool bit_fields_edit(const char *assembly) {
    editor e = {.base.edit = edit};
    bool good = lines_edit(&e.base, assembly);
    vector_free(&e.lines.text);
    vector_free(&e.lines.starts);
    vector_free(&e.uses);
    return good;
}
