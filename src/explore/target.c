#include "explore/target.h"

#include "base/check.h"

const char *error_word(enum error_kind kind) {
#define ERROR_WORD(kind, word) word,
    static const char *const words[] = {ERROR_KINDS(ERROR_WORD)};
#undef ERROR_WORD
    CHECK((unsigned)kind < ERROR_KIND_COUNT);
    return words[kind];
}
