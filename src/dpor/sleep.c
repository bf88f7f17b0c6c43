#include "dpor/sleep.h"

void sleep_init(sleep_stack *s) {
    *s = (sleep_stack){0};
    vector_push(&s->starts, 0);
}

void sleep_free(sleep_stack *s) {
    vector_free(&s->sleepers);
    vector_free(&s->starts);
}

static void check_set(const sleep_stack *s, uint32_t length) {
    const sleeper *begin = sleep_begin(s, length), *end = sleep_end(s, length);
    CHECK(begin <= end && end <= s->sleepers.items + s->sleepers.count);
    for (const sleeper *i = begin; i < end; i++) {
        for (const sleeper *j = begin; j < i; j++) {
            CHECK(i->thread != j->thread || i->choice != j->choice);
        }
    }
}

static void check_inherited(const sleep_stack *s, uint32_t length, const event *taken) {
    const sleeper *kept = sleep_begin(s, length + 1), *end = sleep_end(s, length + 1);
    for (const sleeper *i = sleep_begin(s, length); i < sleep_end(s, length); i++) {
        if (i->thread != taken->thread && !footprint_conflict(i->footprint, taken->footprint)) {
            CHECK(kept < end);
            CHECK(kept->thread == i->thread && kept->choice == i->choice);
            kept++;
        }
    }
}

void sleep_check(const sleep_stack *s, const execution *e) {
    CHECK(s->starts.count && vector_at(&s->starts, 0) == 0);
    for (uint32_t length = 0; length < s->starts.count; length++) {
        check_set(s, length);
        if (length + 1 < s->starts.count && length < execution_length(e)) {
            check_inherited(s, length, execution_event(e, length));
        }
    }
}

void sleep_descend(sleep_stack *s, const event *taken) {
    DEBUG_CHECK(s->starts.count && vector_last(&s->starts) <= s->sleepers.count);
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
    DEBUG_CHECK(!sleep_contains(s, s->starts.count - 1, asleep.thread, asleep.choice));
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
