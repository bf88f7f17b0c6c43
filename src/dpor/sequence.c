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
    vector_assign(s, from->items, from->count);
}

bool sequence_contains(const step_sequence *s, uint32_t thread) {
    return find(s, thread) < s->count;
}

bool sequence_is_independent(const sleeper *steps, uint32_t count, footprint f) {
    uint32_t i = 0;
    while (i < count && !footprint_conflict(steps[i].footprint, f)) {
        i++;
    }
    return i == count;
}

bool sequence_remove(step_sequence *s, uint32_t thread) {
    uint32_t i = find(s, thread);
    if (i == s->count) {
        return false;
    }
    vector_remove(s, i, 1);
    return true;
}
