#include "targets/native/leftovers.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "base/vector.h"
#include "targets/native/instructions.h"
#include "targets/native/lines.h"

/* Registers that a call may change; results are in the first ones. */
typedef struct leftover {
    const char *names[5];
    const char *clear;
} leftover;

enum { RESULTS = 4 };

#define NUMBERED(number)                                              \
    {                                                                 \
        {"r" number, "r" number "d", "r" number "w", "r" number "b"}, \
            "xorl\t%r" number "d, %r" number "d"                      \
    }
#define VECTOR_REGISTER(number) \
    { {"xmm" number}, "pxor\t%xmm" number ", %xmm" number }

static const leftover leftovers[] = {
    {{"rax", "eax", "ax", "al", "ah"}, "xorl\t%eax, %eax"},
    {{"rdx", "edx", "dx", "dl", "dh"}, "xorl\t%edx, %edx"},
    VECTOR_REGISTER("0"),
    VECTOR_REGISTER("1"),
    {{"rcx", "ecx", "cx", "cl", "ch"}, "xorl\t%ecx, %ecx"},
    {{"rsi", "esi", "si", "sil"}, "xorl\t%esi, %esi"},
    {{"rdi", "edi", "di", "dil"}, "xorl\t%edi, %edi"},
    NUMBERED("8"),
    NUMBERED("9"),
    NUMBERED("10"),
    NUMBERED("11"),
    VECTOR_REGISTER("2"),
    VECTOR_REGISTER("3"),
    VECTOR_REGISTER("4"),
    VECTOR_REGISTER("5"),
    VECTOR_REGISTER("6"),
    VECTOR_REGISTER("7"),
    VECTOR_REGISTER("8"),
    VECTOR_REGISTER("9"),
    VECTOR_REGISTER("10"),
    VECTOR_REGISTER("11"),
    VECTOR_REGISTER("12"),
    VECTOR_REGISTER("13"),
    VECTOR_REGISTER("14"),
    VECTOR_REGISTER("15"),
};

enum { LEFTOVERS = sizeof leftovers / sizeof *leftovers };

typedef struct editor {
    line_editor base;
    VECTOR(char) text; /* of the function, so far */
    bool in_function, interrupted;
} editor;

static bool mentions(const char *line, const leftover *l) {
    for (const char *at = line; (at = strchr(at, '%')); at++) {
        for (size_t i = 0; i < 5 && l->names[i]; i++) {
            size_t length = strlen(l->names[i]);
            if (strncmp(at + 1, l->names[i], length) == 0 &&
                !isalnum((unsigned char)at[1 + length])) {
                return true;
            }
        }
    }
    return false;
}

/* ---- calls ---- */

static const char *callee_of(const char *line) {
    const char *text = line + strspn(line, " \t");
    if (!text_starts(text, "call")) {
        return NULL;
    }
    text += strcspn(text, " \t");
    return text + strspn(text, " \t");
}

/* It keeps registers that other functions change, and the code around it knows. */
static bool spares_registers(const char *callee) {
    return text_starts(callee, "heddle_") || strstr(callee, "mcount") ||
           strstr(callee, "__fentry__") || strstr(callee, "_thunk");
}

static bool has_no_result(const char *callee) {
    return text_starts(callee, "__tsan_read") || text_starts(callee, "__tsan_write") ||
           text_starts(callee, "__tsan_volatile") || text_starts(callee, "__tsan_unaligned");
}

static void clear_after(const char *callee, FILE *out) {
    for (size_t i = has_no_result(callee) ? 0 : RESULTS; i < LEFTOVERS; i++) {
        fprintf(out, "\t%s\n", leftovers[i].clear);
    }
}

/* ---- functions ---- */

/* The parameters are stored before any of these. */
static bool ends_parameters(const char *line) {
    return callee_of(line) || text_starts(line, "#APP") || instruction_label(line);
}

static void clear_at_beginning(const char *body, FILE *out) {
    bool used[LEFTOVERS] = {false};
    for (const char *line = body; *line; line = strchr(line, '\n') + 1) {
        size_t length = strcspn(line, "\n");
        char *copy = strndup(line, length);
        CHECK(copy != NULL);
        bool last = ends_parameters(copy) && line != body;
        for (size_t i = 0; !last && i < LEFTOVERS; i++) {
            used[i] = used[i] || mentions(copy, &leftovers[i]);
        }
        free(copy);
        if (last) {
            break;
        }
    }
    for (size_t i = 0; i < LEFTOVERS; i++) {
        if (!used[i]) {
            fprintf(out, "\t%s\n", leftovers[i].clear);
        }
    }
}

static void write_cleared(editor *e) {
    FILE *out = e->base.out;
    bool quoted = false, first = true;
    for (const char *line = e->text.items; *line;) {
        size_t length = strcspn(line, "\n") + 1;
        const char *callee = callee_of(line);
        fwrite(line, 1, length, out);
        quoted = text_starts(line, "#APP") || (quoted && !text_starts(line, "#NO_APP"));
        if (first) { /* .cfi_startproc */
            clear_at_beginning(line + length, out);
        } else if (callee && !quoted && !spares_registers(callee)) {
            clear_after(callee, out);
        }
        first = false;
        line += length;
    }
    e->base.changed = true;
}

static void end_function(editor *e) {
    vector_push(&e->text, '\0');
    if (e->interrupted) {
        write_cleared(e);
    } else {
        fputs(e->text.items, e->base.out);
    }
    vector_clear(&e->text);
    e->in_function = e->interrupted = false;
}

static void edit(line_editor *base, char *line) {
    editor *e = (editor *)base;
    const char *text = line ? line + strspn(line, " \t") : "";
    if (text_starts(text, ".cfi_startproc")) {
        e->in_function = true;
    }
    if (!e->in_function) {
        fputs(line ? line : "", base->out);
        return;
    }
    const char *callee = line ? callee_of(line) : NULL;
    e->interrupted = e->interrupted || (callee && (text_starts(callee, "heddle_assembly_") ||
                                                   text_starts(callee, "heddle_struct_")));
    for (const char *at = line; at && *at; at++) {
        vector_push(&e->text, *at);
    }
    if (!line || text_starts(text, ".cfi_endproc")) {
        end_function(e);
    }
}

bool leftovers_edit(const char *assembly) {
    editor e = {.base.edit = edit};
    bool good = lines_edit(&e.base, assembly);
    vector_free(&e.text);
    return good;
}
