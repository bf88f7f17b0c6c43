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

static bool belong_together(const look *a, const look *b) {
    return a->thread == b->thread && a->location == b->location;
}

/* False: it was known. */
static bool add(const look *added) {
    for (uint32_t i = 0; i < looks.count; i++) {
        const look *l = &vector_at(&looks, i);
        if (belong_together(l, added) && l->place.address == added->place.address &&
            l->place.bytes == added->place.bytes) {
            return false;
        }
    }
    vector_push(&looks, *added);
    return true;
}

void spin_looks_learn(const runtime_thread *t, const spin_read *place) {
    CHECK(!place->hidden);
    if (add(&(look){*place, t->number, t->pending.location})) {
        target_make_stale(space.target); /* the operation may have been used without it */
    }
}

bool spin_looks_known(uint32_t *at, spin_known_look *known) {
    for (; *at < looks.count; ++*at) {
        const look *l = &vector_at(&looks, *at);
        if (l->place.bytes) {
            *known = (spin_known_look){l->place.address, l->place.bytes, l->thread, l->location};
            ++*at;
            return true;
        }
    }
    return false;
}

void spin_looks_expect(const spin_known_look *known) {
    CHECK(known->bytes);
    spin_read place = {.address = known->address, .bytes = known->bytes, .looked = true};
    add(&(look){place, known->thread, known->location});
}
