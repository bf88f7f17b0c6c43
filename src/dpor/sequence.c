#include "dpor/sequence.h"

static uint32_t find(const step_sequence *s, uint32_t thread) {
    uint32_t i = 0;
    while (i < s->count && vector_at(s, i).thread != thread) {
        i++;
    }
    return i;
}

void sequence_copy(step_sequence *s, const step_sequence *from) {
    CHECK(s != from);
    vector_resize(s, from->count);
    for (uint32_t i = 0; i < from->count; i++) {
        vector_at(s, i) = vector_at(from, i);
    }
}

bool sequence_contains(const step_sequence *s, uint32_t thread) {
    return find(s, thread) < s->count;
}

bool sequence_remove(step_sequence *s, uint32_t thread) {
    uint32_t i = find(s, thread);
    if (i == s->count) {
        return false;
    }
    for (; i + 1 < s->count; i++) {
        vector_at(s, i) = vector_at(s, i + 1);
    }
    CHECK(s->count > 0);
    s->count--;
    return true;
}
