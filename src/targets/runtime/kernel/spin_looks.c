#include "targets/runtime/kernel/spin_looks.h"

#include "base/vector.h"
#include "targets/runtime/memory/space.h"

typedef struct look {
    spin_read place; /* its value means nothing */
    uint32_t thread, location;
    bool section;    /* of an atomic section */
    bool several;    /* which looks at others as well: */
    uint32_t lowest; /* the first of them in memory, in every process */
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

/* A look was added: what is known of those that belong to the same operation. */
static void find_lowest(void) {
    look *last = &vector_last(&looks);
    uint32_t lowest = looks.count - 1, count = 0;
    for (uint32_t i = 0; i < looks.count; i++) {
        const look *l = &vector_at(&looks, i);
        bool same = belong_together(l, last);
        bool before = l->place.address < vector_at(&looks, lowest).place.address;
        lowest = same && before ? i : lowest;
        count += same;
    }
    for (uint32_t i = 0; i < looks.count; i++) {
        look *l = &vector_at(&looks, i);
        if (belong_together(l, last)) {
            l->lowest = lowest;
            l->several = l->section && count > 1;
        }
    }
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
    find_lowest();
    return true;
}

void spin_looks_learn(const runtime_thread *t, const spin_read *place) {
    uint32_t at = 0;
    bool others = spin_looks_next(t, &at) != NULL;
    CHECK(!place->hidden);
    bool added = add(&(look){.place = *place,
                             .thread = t->number,
                             .location = t->pending.location,
                             .section = t->pending.kind == OPERATION_ATOMIC});
    if (added && others) { /* they were used without this one */
        target_make_stale(space.target);
    }
}

bool spin_looks_next_of_several(uint32_t *at, const spin_read **place, const spin_read **lowest) {
    while (*at < looks.count) {
        const look *l = &vector_at(&looks, (*at)++);
        if (l->several) {
            CHECK(belong_together(l, &vector_at(&looks, l->lowest)));
            *place = &l->place;
            *lowest = &vector_at(&looks, l->lowest).place;
            return true;
        }
    }
    return false;
}

bool spin_looks_known(uint32_t *at, spin_known_look *known) {
    for (; *at < looks.count; ++*at) {
        const look *l = &vector_at(&looks, *at);
        if (l->section) {
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
    add(&(look){
        .place = place, .thread = known->thread, .location = known->location, .section = true});
}
