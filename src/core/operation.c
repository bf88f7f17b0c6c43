#include "core/operation.h"

#include <stddef.h>

#include "base/check.h"

#define OPERATION_ROW(kind, word, shows, roles, effect, blocked) \
    [kind] = {word, blocked, shows, roles, effect},
const operation_traits operation_table[] = {OPERATION_KINDS(OPERATION_ROW)};
#undef OPERATION_ROW

const char *operation_word(enum operation_kind kind) {
    CHECK((unsigned)kind < OPERATION_KIND_COUNT);
    return operation_table[kind].word;
}

bool operation_makes(enum operation_kind kind, uint32_t thread, uint64_t old, uint64_t *state) {
    int64_t count = (int64_t)old;
    CHECK((unsigned)kind < OPERATION_KIND_COUNT);
    switch ((enum operation_effect)operation_table[kind].effect) {
        case MAKES_UNKNOWN: return false;
        case MAKES_HELD: *state = old == OPERATION_DESTROYED ? old : 1; return true;
        case MAKES_FREE: *state = old == OPERATION_DESTROYED ? old : 0; return true;
        case MAKES_DONE: *state = 2; return true;
        case MAKES_MORE: *state = old + 1; return true;
        case MAKES_LESS: *state = count > 0 ? old - 1 : 0; return true;
        case MAKES_READ: *state = count >= 0 ? old + 1 : old; return true;
        case MAKES_WRITTEN: *state = count == 0 ? UINT64_MAX : old; return true;
        case MAKES_ABSENT: *state = old & ~((uint64_t)1 << thread % 64); return true;
        case MAKES_SAME: *state = old; return true;
        case MAKES_NEW: *state = old == OPERATION_DESTROYED ? 0 : old; return true;
        case MAKES_GONE: *state = old ? old : OPERATION_DESTROYED; return true;
        case MAKES_WAITER: *state = old | (uint64_t)1 << thread % 64; return true;
    }
    CHECK(!"effect");
    return false;
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
    vector_assign(&k->causes, op->causes, op->cause_count);
    vector_clear(&k->choices);
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
