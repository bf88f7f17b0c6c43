#include "cli/last_execution.h"

#include "explore/trail.h"
#include "targets/native/native.h"

enum { NAME_SIZE = 1024 };

uint64_t last_execution_item(const finding *announced) {
    bytes steps = {0};
    for (uint32_t i = 0; i < announced->steps.count; i++) {
        step s = vector_at(&announced->steps, i).step;
        bytes_put_number(&steps, s.thread);
        bytes_put_number(&steps, s.choice);
    }
    uint64_t hash = bytes_checksum(steps.content.items, steps.content.count);
    bytes_free(&steps);
    return hash;
}

/* Threads that were unknown when the item was announced. */
static bool name_threads(finding *f, const void *witness, uint32_t count) {
    char name[NAME_SIZE];
    bool named = true;
    while (f->threads.count < count && named) {
        named = native_name_of(witness, f->threads.count, name, sizeof name);
        if (named) {
            vector_push(&f->threads, text_length(&f->pool));
            text_append(&f->pool, name);
            text_append_bytes(&f->pool, "", 1);
        }
    }
    return named;
}

/* The process may have written anything there. */
uint64_t last_execution_complete(finding *announced, const void *witness) {
    const trail *t = trail_of(witness);
    uint64_t taken = t->count, count = taken < TRAIL_MOST ? taken : TRAIL_MOST;
    uint32_t threads = 0;
    for (uint32_t i = 0; i < count; i++) {
        threads = t->steps[i].thread < threads ? threads : t->steps[i].thread + 1;
    }
    if (!t->known || !name_threads(announced, witness, threads)) {
        return 0;
    }
    vector_clear(&announced->steps);
    for (uint32_t i = 0; i < count; i++) {
        vector_push(&announced->steps, (finding_step){.step = t->steps[i]});
    }
    return taken - count;
}
