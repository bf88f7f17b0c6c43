#include "core/operation.h"

#include <stddef.h>

#include "base/check.h"

#define OPERATION_ROW(kind, word, shows, roles, blocked) [kind] = {word, blocked, shows, roles},
const operation_traits operation_table[] = {OPERATION_KINDS(OPERATION_ROW)};
#undef OPERATION_ROW

const char *operation_word(enum operation_kind kind) {
    CHECK((unsigned)kind < OPERATION_KIND_COUNT);
    return operation_table[kind].word;
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

const operation *operation_keep(kept_operation *k, const operation *op) {
    vector_clear(&k->causes);
    vector_clear(&k->choices);
    for (uint32_t i = 0; i < op->cause_count; i++) {
        vector_push(&k->causes, op->causes[i]);
    }
    for (uint32_t i = 0; i < op->choice_count; i++) {
        vector_push(&k->choices, operation_choice(op, i));
    }
    k->operation = *op;
    k->operation.causes = k->causes.items;
    k->operation.choices = k->choices.items;
    return &k->operation;
}

void kept_operation_free(kept_operation *k) {
    vector_free(&k->causes);
    vector_free(&k->choices);
}
