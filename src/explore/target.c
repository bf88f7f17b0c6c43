#include "explore/target.h"

#include "base/check.h"

const char *error_word(enum error_kind kind) {
#define ERROR_WORD(kind, word) word,
    static const char *const words[] = {ERROR_KINDS(ERROR_WORD)};
#undef ERROR_WORD
    CHECK((unsigned)kind < ERROR_KIND_COUNT);
    return words[kind];
}

const program_error *target_start_error(target *t, uint32_t i) {
    return t->class->start_error ? t->class->start_error(t, i) : NULL;
}

const program_error *target_end_error(target *t, uint32_t i) {
    return t->class->end_error ? t->class->end_error(t, i) : NULL;
}

enum step_obstacle target_find_obstacle(target *t, step next, const operation **pending) {
    if (next.thread >= t->class->thread_count(t)) {
        return STEP_WITHOUT_THREAD;
    }
    *pending = t->class->pending(t, next.thread);
    if (!*pending) {
        return STEP_AFTER_END;
    }
    if (!target_may_take(t, *pending, next.choice)) {
        return STEP_BLOCKED;
    }
    return operation_has_alternative(*pending, next.choice) ? STEP_POSSIBLE : STEP_WITHOUT_CHOICE;
}

void target_replay(target *t, const step *steps, uint32_t count) {
    static const step_hooks hooks = {.next = step_range_next};
    if (t->class->replay) {
        t->class->replay(t, steps, count);
    } else {
        target_run(t, &hooks, &(step_range){steps, steps + count});
    }
}
