#include "dpor/preference.h"

#include <string.h>

#define FIRST_SLOTS 64 /* a power of two */

void preference_free(preference_table *p) {
    vector_free(&p->slots);
}

static uint32_t mix(uint32_t hash, event_name e) {
    hash = (hash ^ e.thread) * 0x9e3779b1u;
    hash = (hash ^ e.index ^ hash >> 15) * 0x85ebca6bu;
    return hash ^ hash >> 13;
}

static bool same(event_name a, event_name b) {
    return a.thread == b.thread && a.index == b.index;
}

/* The slot of the pair in that order, or the free one where it belongs. */
static uint32_t find(const preference_table *p, event_name first, event_name second) {
    uint32_t mask = p->slots.count - 1, at = mix(mix(0, first), second) & mask;
    while (vector_at(&p->slots, at).used && !(same(vector_at(&p->slots, at).first, first) &&
                                              same(vector_at(&p->slots, at).second, second))) {
        at = (at + 1) & mask;
    }
    return at;
}

bool preference_holds(const preference_table *p, event_name first, event_name second) {
    return p->slots.count && vector_at(&p->slots, find(p, first, second)).used;
}

static void grow(preference_table *p) {
    preference_table larger = {0};
    vector_resize(&larger.slots, p->slots.count ? 2 * p->slots.count : FIRST_SLOTS);
    memset(larger.slots.items, 0, larger.slots.count * sizeof *larger.slots.items);
    for (uint32_t i = 0; i < p->slots.count; i++) {
        const preferred_pair *pair = &vector_at(&p->slots, i);
        if (pair->used) {
            vector_at(&larger.slots, find(&larger, pair->first, pair->second)) = *pair;
        }
    }
    larger.used = p->used;
    vector_free(&p->slots);
    *p = larger;
}

static void add(preference_table *p, event_name first, event_name second) {
    if (2 * (p->used + 1) > p->slots.count) {
        grow(p);
    }
    preferred_pair *slot = &vector_at(&p->slots, find(p, first, second));
    p->used += !slot->used;
    *slot = (preferred_pair){first, second, true};
}

/* Stands for whatever comes after. */
static const event_name anything = {UINT32_MAX, UINT32_MAX};

bool preference_is_first(const preference_table *p, event_name first) {
    return preference_holds(p, first, anything);
}

void preference_settle(preference_table *p, event_name first, event_name second) {
    CHECK(!preference_holds(p, second, first));
    add(p, first, second);
    add(p, first, anything);
}
