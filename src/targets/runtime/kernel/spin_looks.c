#include "targets/runtime/kernel/spin_looks.h"

#include "base/vector.h"
#include "targets/runtime/memory/space.h"

typedef struct look {
    spin_read place; /* its value means nothing */
    uint32_t thread, location;
} look;

static VECTOR(look) looks;

void spin_looks_close(void) {
    vector_free(&looks);
}

const spin_read *spin_looks_next(const runtime_thread *t, uint32_t *at) {
    CHECK(*at <= looks.count);
    while (*at < looks.count) {
        const look *l = &vector_at(&looks, (*at)++);
        if (l->thread == t->number && l->location == t->pending.location) {
            return &l->place;
        }
    }
    return NULL;
}

void spin_looks_learn(const runtime_thread *t, const spin_read *place) {
    uint32_t at = 0, others = 0;
    for (const spin_read *r; (r = spin_looks_next(t, &at)); others++) {
        if (r->address == place->address && r->bytes == place->bytes) {
            return;
        }
    }
    CHECK(!place->hidden);
    vector_push(&looks, (look){*place, t->number, t->pending.location});
    if (others) { /* they were used without this one */
        target_make_stale(space.target);
    }
}
