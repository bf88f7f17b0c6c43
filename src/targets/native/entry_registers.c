#define _GNU_SOURCE
#include "targets/native/entry_registers.h"

#include <ctype.h>
#include <string.h>

#include "base/text.h"
#include "targets/native/registers.h"

static const enum register_number arguments[] = {
    REGISTER_RDI,  REGISTER_RSI,  REGISTER_RDX,  REGISTER_RCX,  REGISTER_R8,   REGISTER_R9,
    REGISTER_R10,  REGISTER_RAX,  REGISTER_XMM0, REGISTER_XMM1, REGISTER_XMM2, REGISTER_XMM3,
    REGISTER_XMM4, REGISTER_XMM5, REGISTER_XMM6, REGISTER_XMM7};
enum { ARGUMENTS = sizeof arguments / sizeof *arguments };
_Static_assert(REGISTER_COUNT <= 32, "a bit for each");

static void use(entry_registers *e, const char *operands, size_t size) {
    char text[256] = "";
    bool whole = size < sizeof text;
    memcpy(text, operands, whole ? size : 0);
    bool wider = !whole || strstr(text, "%ymm") || strstr(text, "%zmm");
    for (uint32_t i = 0; i < ARGUMENTS; i++) {
        bool in = register_in(text, arguments[i]) || (wider && arguments[i] >= REGISTER_XMM0);
        e->used |= in || !whole ? 1u << arguments[i] & ~e->unused : 0;
    }
}

/* It is written as a whole, and was not read before. */
static void define(entry_registers *e, const char *name) {
    for (uint32_t i = 0; i < ARGUMENTS && arguments[i] < REGISTER_XMM0; i++) {
        if (register_starts(name, arguments[i]) && register_is_wide(name, arguments[i])) {
            e->unused |= 1u << arguments[i] & ~e->used;
        }
    }
}

static void pass_instruction(entry_registers *e, const char *name, const char *operands) {
    size_t length = strcspn(operands, "#\n");
    const char *last = memrchr(operands, ',', length);
    bool moves = text_starts(name, "mov") || text_starts(name, "lea");
    const char *to = last ? last + 1 + strspn(last + 1, " \t") : NULL;
    if (!moves || !to || *to != '%') {
        use(e, operands, length);
        return;
    }
    char target[16] = "";
    size_t size = strcspn(to + 1, " \t\n#");
    use(e, operands, (size_t)(last - operands));
    memcpy(target, to + 1, size < sizeof target ? size : 0);
    define(e, target);
}

/* How many arguments a function takes that the compiler inserts, an address and perhaps a size;
 * ARGUMENTS: that is unknown. */
static uint32_t count_taken(const char *target) {
    static const char *const inserted[] = {"__tsan_read", "__tsan_write", "__tsan_unaligned_",
                                           "__tsan_volatile_"};
    size_t length = strcspn(target, "@ \t\n");
    if (!text_starts_with_any(target, inserted, sizeof inserted / sizeof *inserted)) {
        return ARGUMENTS;
    }
    return memmem(target, length, "range", 5) ? 2 : 1;
}

/* Registers that it uses are not among its operands. */
static bool uses_others(const char *name, const char *operands) {
    bool bare = *operands == '\n' || *operands == '\0';
    return text_starts(name, "rep") || (bare && !text_starts(name, "endbr") &&
                                        !text_starts(name, "leave") && !text_starts(name, "nop"));
}

bool entry_registers_pass(entry_registers *e, const char *line) {
    const char *name = line + strspn(line, " \t");
    const char *operands = name + strcspn(name, " \t\n");
    operands += strspn(operands, " \t");
    if (text_starts(name, ".L") && isdigit((unsigned char)name[2])) {
        return false; /* others may jump there */
    }
    uint32_t taken = text_starts(name, "call") ? count_taken(operands) : ARGUMENTS;
    for (uint32_t i = taken; i < ARGUMENTS; i++) {
        e->unused |= 1u << arguments[i] & ~e->used;
    }
    if (*name == 'j' || text_starts(name, "call") || text_starts(name, "ret") ||
        text_starts(name, ".cfi_endproc") || text_starts(name, "#APP")) {
        return false;
    }
    bool directive = *name == '.' || *name == '#' || *name == '\n' || line == name;
    if (!directive && uses_others(name, operands)) {
        return false;
    }
    if (!directive) {
        pass_instruction(e, name, operands);
    }
    return true;
}

void entry_registers_clear(const entry_registers *e, FILE *out) {
    for (uint32_t i = 0; i < ARGUMENTS; i++) {
        if (e->unused >> arguments[i] & 1) {
            fprintf(out, "\t%s\n", register_clear(arguments[i]));
        }
    }
}
