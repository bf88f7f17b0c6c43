#include "core/operation.h"

#include "base/check.h"

const char *operation_word(enum operation_kind kind) {
#define OPERATION_WORD(kind, word) word,
    static const char *const words[] = {OPERATION_KINDS(OPERATION_WORD)};
#undef OPERATION_WORD
    CHECK((unsigned)kind < OPERATION_KIND_COUNT);
    return words[kind];
}
