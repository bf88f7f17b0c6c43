#include "targets/abstract/snapshots.h"

#include <stdbool.h>
#include <string.h>

void snapshots_free(snapshot_stack *s) {
    vector_free(&s->snapshots);
    vector_free(&s->bytes);
}

static bool is_time(const snapshot_stack *s, uint32_t length) {
    uint32_t last = s->snapshots.count ? vector_last(&s->snapshots).length : 0;
    return length >= last + SNAPSHOT_DISTANCE && length - last >= length / SNAPSHOT_SHARE;
}

void snapshots_take(snapshot_stack *s, const void *state, size_t size, uint32_t length) {
    if (size > SNAPSHOT_LARGEST || !is_time(s, length)) {
        return;
    }
    uint32_t start = (s->bytes.count + 15) / 16 * 16;
    vector_resize(&s->bytes, start + (uint32_t)size);
    memcpy(s->bytes.items + start, state, size);
    vector_push(&s->snapshots, (snapshot){length, start});
}

uint32_t snapshots_back(snapshot_stack *s, void *state, size_t size, uint32_t length) {
    while (s->snapshots.count && vector_last(&s->snapshots).length > length) {
        s->bytes.count = vector_pop(&s->snapshots).start;
    }
    if (!s->snapshots.count) {
        return 0;
    }
    memcpy(state, s->bytes.items + vector_last(&s->snapshots).start, size);
    return vector_last(&s->snapshots).length;
}
