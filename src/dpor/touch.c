#include "dpor/touch.h"

#define TOUCHED_BY_MANY UINT32_MAX

void touch_free(later_users *m) {
    vector_free(&m->touchers);
}

void touch_start(later_users *m, const execution *e) {
    vector_resize(&m->touchers, e->heads.count);
    for (uint32_t i = 0; i < e->heads.count; i++) {
        vector_at(&m->touchers, i) = 0;
    }
}

void touch_pass(later_users *m, const event *of) {
    memory_access room;
    uint32_t count;
    const memory_access *a = footprint_accesses(of->footprint, &room, &count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *toucher = &vector_at(&m->touchers, a[i].object);
        if (a[i].bytes) {
            DEBUG_CHECK(of->thread + 1 != TOUCHED_BY_MANY);
            bool own = *toucher == 0 || *toucher == of->thread + 1;
            *toucher = own ? of->thread + 1 : TOUCHED_BY_MANY;
        }
    }
}

bool touch_is_private(const later_users *m, const event *of) {
    memory_access room;
    uint32_t count;
    const memory_access *a = footprint_accesses(of->footprint, &room, &count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t toucher = vector_at(&m->touchers, a[i].object);
        if (a[i].bytes && toucher != 0 && toucher != of->thread + 1) {
            return false;
        }
    }
    return !(of->flags & OPERATION_WAKES);
}
