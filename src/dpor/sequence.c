#include "dpor/sequence.h"

static uint32_t find(const step_sequence *s, uint32_t thread) {
    uint32_t i = 0;
    while (i < s->count && s->items[i].thread != thread) {
        i++;
    }
    return i;
}

void sequence_copy(step_sequence *s, const step_sequence *from) {
    vector_resize(s, from->count);
    for (uint32_t i = 0; i < from->count; i++) {
        s->items[i] = from->items[i];
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
    for (s->count--; i < s->count; i++) {
        s->items[i] = s->items[i + 1];
    }
    return true;
}
