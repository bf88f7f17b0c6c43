#include "core/operation.h"

#include "base/check.h"

const char *operation_word(enum operation_kind kind) {
#define OPERATION_WORD(kind, word) word,
    static const char *const words[] = {OPERATION_KINDS(OPERATION_WORD)};
#undef OPERATION_WORD
    CHECK((unsigned)kind < OPERATION_KIND_COUNT);
    return words[kind];
}

bool operation_compare_holds(enum operation_compare compare, uint64_t value, uint64_t expected) {
    int64_t a = (int64_t)value, b = (int64_t)expected;
    switch (compare) {
        case OPERATION_IS_EQUAL: return a == b;
        case OPERATION_IS_NOT_EQUAL: return a != b;
        case OPERATION_IS_LESS: return a < b;
        case OPERATION_IS_LESS_EQUAL: return a <= b;
        case OPERATION_IS_GREATER: return a > b;
        case OPERATION_IS_GREATER_EQUAL: return a >= b;
    }
    CHECK(!"comparison");
    return false;
}
