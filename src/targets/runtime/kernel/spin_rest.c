#include "targets/runtime/kernel/spin_rest.h"

#include <string.h>

#include "base/vector.h"
#include "targets/runtime/kernel/state.h"

typedef VECTOR(unsigned char) bytes;

static bytes before, after;

static void save(const runtime_thread *t, bytes *b) {
    size_t size = state_save_rest(t, NULL);
    CHECK(size <= UINT32_MAX);
    vector_resize(b, (uint32_t)size);
    CHECK(state_save_rest(t, b->items) == size);
}

void spin_rest_close(void) {
    vector_free(&before);
    vector_free(&after);
}

void spin_rest_keep(const runtime_thread *t) {
    save(t, &before);
}

bool spin_rest_is_same(const runtime_thread *t) {
    save(t, &after);
    return before.count == after.count && memcmp(before.items, after.items, after.count) == 0;
}
