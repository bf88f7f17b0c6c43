#include "explore/blocked.h"

void blocked_free(blocked_list *b) {
    vector_free(&b->threads);
    vector_free(&b->causes);
}

void blocked_collect(blocked_list *b, exploration *x) {
    const target_class *class = x->target->class;
    vector_clear(&b->threads);
    vector_clear(&b->causes);
    for (uint32_t t = 0, n = class->thread_count(x->target); t < n; t++) {
        const operation *pending = class->pending(x->target, t);
        if (!pending || pending->footprint == FOOTPRINT_EMPTY) {
            continue;
        }
        CHECK(pending->supply_count <= pending->cause_count);
        vector_push(&b->threads, (blocked_thread){t, *pending});
        vector_append(&b->causes, pending->causes, pending->cause_count);
    }
    uint32_t used = 0;
    for (uint32_t i = 0; i < b->threads.count; i++) {
        operation *op = &vector_at(&b->threads, i).operation;
        op->causes = b->causes.items + used;
        used += op->cause_count;
    }
    CHECK(used == b->causes.count);
}
