#include "targets/native/registers.h"

#include <ctype.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"

enum { NAMES = 5 };

// clang-format off
#define CLEAR(name) "xorl\t%" name ", %" name
#define LETTERED(name, of) {{"r" of "x", "e" of "x", of "x", of "l", of "h"}, CLEAR("e" of "x")},
#define INDEXED(name, of) {{"r" of, "e" of, of, of "l"}, CLEAR("e" of)},
#define NUMBERED(name, of) {{of, of "d", of "w", of "b"}, CLEAR(of "d")},
#define VECTOR_REGISTER(name, of) {{of}, "pxor\t%" of ", %" of},
// clang-format on

static const struct {
    const char *names[NAMES], *clear;
} registers[] = {REGISTERS(LETTERED, INDEXED, NUMBERED, VECTOR_REGISTER)};

_Static_assert(sizeof registers / sizeof *registers == REGISTER_COUNT, "a row for each");

bool register_starts(const char *text, enum register_number number) {
    CHECK(number < REGISTER_COUNT);
    const char *const *names = registers[number].names;
    for (uint32_t i = 0; i < NAMES && names[i]; i++) {
        if (text_starts(text, names[i]) && !isalnum((unsigned char)text[strlen(names[i])])) {
            return true;
        }
    }
    return false;
}

bool register_is_wide(const char *text, enum register_number number) {
    CHECK(number < REGISTER_XMM0);
    return text_find(text, registers[number].names, 2) < 2;
}

bool register_in(const char *operands, enum register_number number) {
    for (const char *at = operands; (at = strchr(at, '%')); at++) {
        if (register_starts(at + 1, number)) {
            return true;
        }
    }
    return false;
}

const char *register_clear(enum register_number number) {
    CHECK(number < REGISTER_COUNT);
    return registers[number].clear;
}
