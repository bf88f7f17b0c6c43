#include "targets/native/leftovers.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "base/vector.h"
#include "targets/native/instructions.h"
#include "targets/native/lines.h"
#include "targets/native/registers.h"

/* Registers that a call may change; results are in the first ones, most in the very first. */
static const enum register_number leftovers[] = {
    REGISTER_RAX,   REGISTER_RDX,   REGISTER_XMM0,  REGISTER_XMM1,  REGISTER_RCX,
    REGISTER_RSI,   REGISTER_RDI,   REGISTER_R8,    REGISTER_R9,    REGISTER_R10,
    REGISTER_R11,   REGISTER_XMM2,  REGISTER_XMM3,  REGISTER_XMM4,  REGISTER_XMM5,
    REGISTER_XMM6,  REGISTER_XMM7,  REGISTER_XMM8,  REGISTER_XMM9,  REGISTER_XMM10,
    REGISTER_XMM11, REGISTER_XMM12, REGISTER_XMM13, REGISTER_XMM14, REGISTER_XMM15,
};

enum { RESULTS = 4, WORD = 1 };

enum { LEFTOVERS = sizeof leftovers / sizeof *leftovers };

/* Where the compiler has optimised, a function may hand on what it was called with: these alone are
 * neither parameters nor ever known to the caller. */
static bool is_scratch(enum register_number r) {
    return r == REGISTER_R11 || (r >= REGISTER_XMM8 && r <= REGISTER_XMM15);
}

typedef struct editor {
    line_editor base;
    bool optimized, anywhere; /* some function is interrupted: calls hand registers on to it */
    VECTOR(char) text;        /* of the function, so far */
    bool in_function, interrupted;
} editor;

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
           strstr(callee, "__fentry__") || strstr(callee, "_thunk") || strstr(callee, "@TLS");
}

static bool has_no_result(const char *callee) {
    return text_starts(callee, "__tsan_read") || text_starts(callee, "__tsan_write") ||
           text_starts(callee, "__tsan_volatile") || text_starts(callee, "__tsan_unaligned");
}

/* At most one that fits a register: a number, a pointer. */
static bool has_word(const char *callee) {
    static const char *const prefixes[] = {"pthread_", "sem_", "mtx_", "cnd_", "thrd_", "tss_"};
    bool found = text_starts(callee, "__tsan_atomic") && !text_starts(callee, "__tsan_atomic128");
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        found |= text_starts(callee, prefixes[i]);
    }
    return found;
}

static void clear_after(const char *callee, FILE *out) {
    for (size_t i = has_no_result(callee) ? 0
                    : has_word(callee)    ? WORD
                                          : RESULTS;
         i < LEFTOVERS; i++) {
        fprintf(out, "\t%s\n", register_clear(leftovers[i]));
    }
}

/* ---- functions ---- */

/* The parameters are stored before any of these; but a function of a variable number of them asks
 * first whether some are in vector registers, and clang stores the others after that. */
static bool ends_parameters(const char *line, bool *asks) {
    if (*asks && instruction_label(line)) {
        *asks = false;
        return false;
    }
    *asks = *asks || strstr(line, "testb\t%al, %al");
    return callee_of(line) || text_starts(line, "#APP") || instruction_label(line);
}

static void clear_at_beginning(const char *body, bool optimized, FILE *out) {
    bool used[LEFTOVERS] = {false}, asks = false;
    for (const char *line = body; *line; line = strchr(line, '\n') + 1) {
        size_t length = strcspn(line, "\n");
        char *copy = strndup(line, length);
        CHECK(copy != NULL);
        bool last = ends_parameters(copy, &asks) && line != body;
        for (size_t i = 0; !last && i < LEFTOVERS; i++) {
            used[i] = used[i] || register_in(copy, leftovers[i]);
        }
        free(copy);
        if (last) {
            break;
        }
    }
    for (size_t i = 0; i < LEFTOVERS; i++) {
        if (optimized ? is_scratch(leftovers[i]) : !used[i]) {
            fprintf(out, "\t%s\n", register_clear(leftovers[i]));
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
            clear_at_beginning(line + length, e->optimized, out);
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
    if (e->interrupted || (e->optimized && e->anywhere)) {
        write_cleared(e);
    } else {
        fputs(e->text.items, e->base.out);
    }
    vector_clear(&e->text);
    e->in_function = e->interrupted = false;
}

static bool interrupts(const char *callee) {
    return callee &&
           (text_starts(callee, "heddle_assembly_") || text_starts(callee, "heddle_struct_"));
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
    e->interrupted = e->interrupted || interrupts(callee);
    vector_append(&e->text, line, line ? (uint32_t)strlen(line) : 0);
    if (!line || text_starts(text, ".cfi_endproc")) {
        end_function(e);
    }
}

static void look(void *found, char *line) {
    *(bool *)found |= interrupts(callee_of(line));
}

bool leftovers_edit(const char *assembly, bool optimized) {
    editor e = {.base.edit = edit, .optimized = optimized};
    FILE *in = fopen(assembly, "r");
    if (in) {
        lines_read(in, look, &e.anywhere);
        fclose(in);
    }
    bool good = lines_edit(&e.base, assembly);
    vector_free(&e.text);
    return good;
}
