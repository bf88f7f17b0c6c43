#include "targets/abstract/symbol.h"

#include <string.h>

const char *symbol_kind_words(enum symbol_kind kind) {
    static const char *const words[] = {
        [SYMBOL_PARAMETER] = "a parameter",  [SYMBOL_INDEX] = "the index of a thread",
        [SYMBOL_LOCAL] = "a local variable", [SYMBOL_VARIABLE] = "a shared variable",
        [SYMBOL_MUTEX] = "a mutex",          [SYMBOL_CONDITION] = "a condition",
        [SYMBOL_SEMAPHORE] = "a semaphore",  [SYMBOL_RWLOCK] = "a read-write lock",
        [SYMBOL_BARRIER] = "a barrier",      [SYMBOL_ONCE] = "a once",
        [SYMBOL_THREAD] = "a thread",
    };
    return words[kind];
}

symbol *symbol_find(const symbol_table *table, const token *name) {
    for (uint32_t i = table->count; i > 0; i--) {
        const token *other = vector_at(table, i - 1).name;
        if (other->length == name->length && memcmp(other->text, name->text, name->length) == 0) {
            return &vector_at(table, i - 1);
        }
    }
    return NULL;
}
