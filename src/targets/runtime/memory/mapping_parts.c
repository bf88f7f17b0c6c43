#include "targets/runtime/memory/mapping_parts.h"

#include <string.h>

#include "base/vector.h"
#include "targets/runtime/memory/hidden.h"

static mapping_parts *table(void) {
    return hidden_data(HIDDEN_MAPPINGS);
}

static mapping_parts loaded;

void mapping_parts_open(void) {
    loaded = *table();
}

void mapping_parts_reset(void) {
    *table() = loaded;
}

/* The place of the first part that ends above the address. */
static uint32_t find(uintptr_t address) {
    const mapping_parts *parts = table();
    uint32_t low = 0, high = parts->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (vector_at(parts, middle).high <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool insert(uint32_t at, mapping_part part) {
    mapping_parts *parts = table();
    CHECK(at <= parts->count && part.low < part.high);
    if (parts->count == MAPPING_PARTS_MAX) {
        return false;
    }
    memmove(&parts->items[at + 1], &parts->items[at], (parts->count - at) * sizeof part);
    parts->items[at] = part;
    parts->count++;
    return true;
}

static void drop(uint32_t at) {
    mapping_parts *parts = table();
    CHECK(at < parts->count);
    parts->count--;
    memmove(&parts->items[at], &parts->items[at + 1], (parts->count - at) * sizeof parts->items[0]);
}

/* Takes [low, high) out of what is there; false if a part would become two and has no room. */
static bool cut(uintptr_t low, uintptr_t high) {
    mapping_parts *parts = table();
    for (uint32_t i = find(low); i < parts->count && vector_at(parts, i).low < high;) {
        mapping_part *part = &vector_at(parts, i);
        mapping_part rest = *part;
        if (part->low < low) {
            part->high = low;
            rest.low = high;
            if (rest.low < rest.high && !insert(i + 1, rest)) {
                return false;
            }
            i++;
        } else if (part->high > high) {
            part->low = high;
        } else {
            drop(i);
        }
    }
    return true;
}

static bool alike(const mapping_part *a, const mapping_part *b) {
    return a->high == b->low && a->state == b->state && a->thread == b->thread &&
           a->location == b->location;
}

static void join(uint32_t at) {
    mapping_parts *parts = table();
    if (at + 1 < parts->count && alike(&vector_at(parts, at), &vector_at(parts, at + 1))) {
        vector_at(parts, at).high = vector_at(parts, at + 1).high;
        drop(at + 1);
    }
    if (at && alike(&vector_at(parts, at - 1), &vector_at(parts, at))) {
        vector_at(parts, at - 1).high = vector_at(parts, at).high;
        drop(at);
    }
}

bool mapping_parts_set(mapping_part part) {
    hidden_expect(HIDDEN_MAPPINGS);
    hidden_log(HIDDEN_MAPPINGS);
    runtime.stretch++;
    if (!cut(part.low, part.high)) {
        return false;
    }
    if (part.state == MAPPING_ORDINARY) {
        return true;
    }
    uint32_t at = find(part.low);
    bool room = insert(at, part);
    if (room) {
        join(at);
    }
    return room;
}

const mapping_part *mapping_parts_at(uintptr_t address) {
    const mapping_parts *parts = table();
    uint32_t i = find(address);
    return i < parts->count && vector_at(parts, i).low <= address ? &vector_at(parts, i) : NULL;
}

static bool allows(const mapping_part *part, uint8_t mode) {
    return part->state == MAPPING_READABLE && mode == ACCESS_READ;
}

uintptr_t mapping_parts_bad(uintptr_t low, uintptr_t high, uint8_t mode) {
    const mapping_parts *parts = table();
    for (uint32_t i = find(low); i < parts->count && vector_at(parts, i).low < high; i++) {
        const mapping_part *part = &vector_at(parts, i);
        if (!allows(part, mode)) {
            return part->low > low ? part->low : low;
        }
    }
    return high;
}

void mapping_parts_around(uintptr_t address, uintptr_t *low, uintptr_t *high) {
    const mapping_parts *parts = table();
    uint32_t i = find(address);
    if (i && vector_at(parts, i - 1).high > *low) {
        *low = vector_at(parts, i - 1).high;
    }
    if (i < parts->count && vector_at(parts, i).low < *high) {
        *high = vector_at(parts, i).low > address ? vector_at(parts, i).low : *low;
    }
    DEBUG_CHECK(*low <= *high);
}

bool mapping_parts_has_hole(uintptr_t low, uintptr_t high) {
    const mapping_parts *parts = table();
    bool has = false;
    for (uint32_t i = find(low); i < parts->count && vector_at(parts, i).low < high; i++) {
        has = has || vector_at(parts, i).state == MAPPING_UNMAPPED;
    }
    return has;
}

bool mapping_parts_gone(uintptr_t low, uintptr_t high) {
    while (low < high) {
        const mapping_part *part = mapping_parts_at(low);
        if (!part || part->state != MAPPING_UNMAPPED) {
            return false;
        }
        low = part->high;
    }
    return true;
}
