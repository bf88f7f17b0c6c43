#include "targets/runtime/kernel/spin_rest.h"

#include <string.h>

#include "base/vector.h"
#include "targets/runtime/kernel/state.h"

typedef VECTOR(unsigned char) bytes;

static bytes before, before_but_times, after;

static void save(const runtime_thread *t, bool times, bytes *b) {
    bool timed = runtime.timed;
    runtime.timed = timed && times;
    size_t size = state_save_rest(t, NULL);
    CHECK(size <= UINT32_MAX);
    vector_resize(b, (uint32_t)size);
    CHECK(state_save_rest(t, b->items) == size);
    runtime.timed = timed;
}

void spin_rest_close(void) {
    vector_free(&before);
    vector_free(&before_but_times);
    vector_free(&after);
}

void spin_rest_keep(const runtime_thread *t) {
    save(t, true, &before);
    if (runtime.timed) {
        save(t, false, &before_but_times);
    }
}

bool spin_rest_is_same(const runtime_thread *t, bool times) {
    const bytes *b = times || !runtime.timed ? &before : &before_but_times;
    save(t, times, &after);
    return b->count == after.count && memcmp(b->items, after.items, after.count) == 0;
}
