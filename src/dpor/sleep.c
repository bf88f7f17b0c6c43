#include "dpor/sleep.h"

void sleep_init(sleep_stack *s) {
    *s = (sleep_stack){0};
    vector_push(&s->starts, 0);
}

void sleep_free(sleep_stack *s) {
    vector_free(&s->sleepers);
    vector_free(&s->starts);
}

void sleep_descend(sleep_stack *s, const event *taken) {
    uint32_t from = vector_last(&s->starts);
    uint32_t to = s->sleepers.count;
    vector_push(&s->starts, to);
    for (uint32_t i = from; i < to; i++) {
        sleeper asleep = vector_at(&s->sleepers, i);
        if (asleep.thread != taken->thread &&
            !footprint_conflict(asleep.footprint, taken->footprint)) {
            vector_push(&s->sleepers, asleep);
        }
    }
}

void sleep_ascend(sleep_stack *s, uint32_t length) {
    CHECK(length < s->starts.count);
    if (length + 1 < s->starts.count) {
        s->sleepers.count = vector_at(&s->starts, length + 1);
        s->starts.count = length + 1;
    }
}

void sleep_add(sleep_stack *s, sleeper asleep) {
    vector_push(&s->sleepers, asleep);
}

bool sleep_contains(const sleep_stack *s, uint32_t length, uint32_t thread, uint32_t choice) {
    for (const sleeper *i = sleep_begin(s, length), *end = sleep_end(s, length); i < end; i++) {
        if (i->thread == thread && i->choice == choice) {
            return true;
        }
    }
    return false;
}
