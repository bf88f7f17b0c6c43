#include "dpor/preference.h"

typedef struct wanted_pair {
    const preference_table *table;
    preferred_pair pair;
} wanted_pair;

void preference_free(preference_table *p) {
    vector_free(&p->pairs);
    hash_index_free(&p->numbers);
}

static uint32_t hash(event_name first, event_name second) {
    uint64_t h = hash_index_mix(HASH_INDEX_SEED, (uint64_t)first.thread << 32 | first.index);
    return hash_index_fold(hash_index_mix(h, (uint64_t)second.thread << 32 | second.index));
}

static bool same(event_name a, event_name b) {
    return a.thread == b.thread && a.index == b.index;
}

static bool is_wanted(const void *context, uint32_t number) {
    const wanted_pair *wanted = context;
    const preferred_pair *pair = &vector_at(&wanted->table->pairs, number);
    return same(pair->first, wanted->pair.first) && same(pair->second, wanted->pair.second);
}

bool preference_holds(const preference_table *p, event_name first, event_name second) {
    wanted_pair wanted = {p, {first, second}};
    return hash_index_find(&p->numbers, hash(first, second), is_wanted, &wanted) != HASH_INDEX_NONE;
}

static void add(preference_table *p, event_name first, event_name second) {
    CHECK(p->numbers.count == p->pairs.count);
    if (!preference_holds(p, first, second)) {
        hash_index_add(&p->numbers, hash(first, second), p->pairs.count);
        vector_push(&p->pairs, (preferred_pair){first, second});
    }
}

/* Stands for any later event. */
static const event_name anything = {UINT32_MAX, UINT32_MAX};

bool preference_is_first(const preference_table *p, event_name first) {
    return preference_holds(p, first, anything);
}

void preference_settle(preference_table *p, event_name first, event_name second) {
    CHECK(!preference_holds(p, second, first));
    CHECK(first.thread != second.thread && first.thread != anything.thread);
    add(p, first, second);
    add(p, first, anything);
}
