#include "explore/snapshots.h"

void snapshots_free(snapshot_stack *s) {
    vector_free(&s->snapshots);
    vector_free(&s->bytes);
}

static bool is_time(const snapshot_stack *s, uint32_t length) {
    uint32_t last = s->snapshots.count ? vector_last(&s->snapshots).length : 0;
    return length >= last + SNAPSHOT_DISTANCE && length - last >= length / SNAPSHOT_SHARE;
}

void snapshots_take(snapshot_stack *s, target *program, uint32_t length) {
    const target_class *class = program->class;
    if (!class->cheap_states || !is_time(s, length)) {
        return;
    }
    size_t size = class->state_size(program);
    if (size > SNAPSHOT_LARGEST) {
        return;
    }
    uint32_t start = (s->bytes.count + 15) / 16 * 16;
    vector_resize(&s->bytes, start + (uint32_t)size);
    class->save(program, s->bytes.items + start);
    vector_push(&s->snapshots, (snapshot){length, start});
}

void snapshots_cut(snapshot_stack *s, uint32_t length) {
    while (s->snapshots.count && vector_last(&s->snapshots).length > length) {
        s->bytes.count = vector_pop(&s->snapshots).start;
    }
}

uint32_t snapshots_restore(const snapshot_stack *s, target *program, uint32_t length) {
    for (uint32_t i = s->snapshots.count; i-- > 0;) {
        snapshot kept = vector_at(&s->snapshots, i);
        if (kept.length <= length) {
            program->class->restore(program, s->bytes.items + kept.start);
            return kept.length;
        }
    }
    program->class->reset(program);
    return 0;
}
