#include "base/hash_index.h"

#include <string.h>

/* The torture build grows with every second number. */
#ifdef HEDDLE_TORTURE
enum { FIRST_SLOTS = 2 };
#else
enum { FIRST_SLOTS = 64 };
#endif

static void put(hash_index *t, hash_index_slot added) {
    uint32_t mask = t->slots.count - 1, at = added.hash & mask;
    while (vector_at(&t->slots, at).number) {
        at = (at + 1) & mask;
    }
    vector_at(&t->slots, at) = added;
}

static void grow(hash_index *t) {
    hash_index larger = {.count = t->count};
    vector_resize(&larger.slots, t->slots.count ? 2 * t->slots.count : FIRST_SLOTS);
    for (uint32_t i = 0; i < t->slots.count; i++) {
        if (vector_at(&t->slots, i).number) {
            put(&larger, vector_at(&t->slots, i));
        }
    }
    vector_free(&t->slots);
    *t = larger;
}

void hash_index_add(hash_index *t, uint32_t hash, uint32_t number) {
    CHECK(number < HASH_INDEX_NONE);
    if (2 * (t->count + 1) > t->slots.count) {
        grow(t);
    }
    put(t, (hash_index_slot){hash, number + 1});
    t->count++;
}

void hash_index_clear(hash_index *t) {
    if (t->count) {
        memset(t->slots.items, 0, t->slots.count * sizeof *t->slots.items);
        t->count = 0;
    }
}

void hash_index_free(hash_index *t) {
    vector_free(&t->slots);
    t->count = 0;
}
