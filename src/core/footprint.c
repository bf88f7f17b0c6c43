#include "core/footprint.h"

#include <string.h>

#include "base/vector.h"

/* Interned sets: `starts` has one more element than there are sets. A program has few distinct
 * sets, so the table stays small; it is searched by hash with open addressing. */
static _Thread_local struct {
    VECTOR(access) accesses;
    VECTOR(uint32_t) starts;
    VECTOR(uint32_t) slots; /* set number + 1, or 0 */
    VECTOR(access) scratch;
} table;

static uint32_t set_count(void) {
    return table.starts.count ? table.starts.count - 1 : 0;
}

static uint32_t set_hash(const access *accesses, uint32_t count) {
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; i++) {
        hash = (hash ^ footprint_single(accesses[i])) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return (uint32_t)(hash ^ hash >> 32);
}

static bool set_equals(uint32_t set, const access *accesses, uint32_t count) {
    uint32_t start = table.starts.items[set];
    if (table.starts.items[set + 1] - start != count) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (footprint_single(table.accesses.items[start + i]) != footprint_single(accesses[i])) {
            return false;
        }
    }
    return true;
}

static void slots_insert(uint32_t set) {
    uint32_t start = table.starts.items[set];
    uint32_t mask = table.slots.count - 1;
    uint32_t slot = set_hash(&table.accesses.items[start], table.starts.items[set + 1] - start);
    while (table.slots.items[slot &= mask]) {
        slot++;
    }
    table.slots.items[slot] = set + 1;
}

static void slots_grow(void) {
    uint32_t size = table.slots.count ? table.slots.count * 2 : 64;
    vector_resize(&table.slots, size);
    memset(table.slots.items, 0, size * sizeof *table.slots.items);
    for (uint32_t set = 0; set < set_count(); set++) {
        slots_insert(set);
    }
}

static footprint set_intern(const access *accesses, uint32_t count) {
    if (!table.starts.count) {
        vector_push(&table.starts, 0);
    }
    if ((set_count() + 1) * 2 > table.slots.count) {
        slots_grow();
    }
    uint32_t mask = table.slots.count - 1;
    uint32_t slot = set_hash(accesses, count) & mask;
    for (; table.slots.items[slot]; slot = (slot + 1) & mask) {
        if (set_equals(table.slots.items[slot] - 1, accesses, count)) {
            return FOOTPRINT_SET_BIT | (table.slots.items[slot] - 1);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        vector_push(&table.accesses, accesses[i]);
    }
    vector_push(&table.starts, table.accesses.count);
    table.slots.items[slot] = set_count();
    return FOOTPRINT_SET_BIT | (set_count() - 1);
}

/* Into table.scratch: sorted by object. Accesses of one object with the same mode are merged, so
 * an object appears at most once per distinct mode: bytes read and bytes written stay apart. */
static void normalise(const access *accesses, uint32_t count) {
    vector_clear(&table.scratch);
    for (uint32_t i = 0; i < count; i++) {
        access next = accesses[i];
        CHECK(next.mode);
        uint32_t at = table.scratch.count;
        while (at > 0 && table.scratch.items[at - 1].object > next.object) {
            at--;
        }
        uint32_t same = at;
        while (same > 0 && table.scratch.items[same - 1].object == next.object &&
               table.scratch.items[same - 1].mode != next.mode) {
            same--;
        }
        if (same > 0 && table.scratch.items[same - 1].object == next.object) {
            table.scratch.items[same - 1].bytes |= next.bytes;
            continue;
        }
        while (at > 0 && table.scratch.items[at - 1].object == next.object &&
               table.scratch.items[at - 1].mode > next.mode) {
            at--;
        }
        vector_push(&table.scratch, next);
        memmove(&table.scratch.items[at + 1], &table.scratch.items[at],
                (table.scratch.count - 1 - at) * sizeof *table.scratch.items);
        table.scratch.items[at] = next;
    }
}

footprint footprint_of(const access *accesses, uint32_t count) {
    if (count == 0) {
        return FOOTPRINT_EMPTY;
    }
    normalise(accesses, count);
    if (table.scratch.count == 1) {
        return footprint_single(table.scratch.items[0]);
    }
    return set_intern(table.scratch.items, table.scratch.count);
}

uint32_t footprint_set_count(footprint f) {
    uint32_t set = (uint32_t)f;
    return table.starts.items[set + 1] - table.starts.items[set];
}

access footprint_set_access(footprint f, uint32_t i) {
    return table.accesses.items[table.starts.items[(uint32_t)f] + i];
}

const access *footprint_set_accesses(footprint f, uint32_t *count) {
    const uint32_t *start = &table.starts.items[(uint32_t)f];
    *count = start[1] - start[0];
    return &table.accesses.items[start[0]];
}

/* Both are sorted by object: one merging pass, quadratic only within one object's modes. */
bool footprint_conflict_sets(footprint a, footprint b) {
    access a_room, b_room;
    uint32_t a_count, b_count;
    const access *x = footprint_accesses(a, &a_room, &a_count), *x_end = x + a_count;
    const access *y = footprint_accesses(b, &b_room, &b_count), *y_end = y + b_count;
    while (x < x_end && y < y_end) {
        if (x->object != y->object) {
            x->object < y->object ? x++ : y++;
            continue;
        }
        for (const access *z = y; z < y_end && z->object == x->object; z++) {
            if ((x->bytes & z->bytes) && ((x->mode | z->mode) & ACCESS_WRITE)) {
                return true;
            }
        }
        x++;
    }
    return false;
}

void footprint_table_clear(void) {
    vector_free(&table.accesses);
    vector_free(&table.starts);
    vector_free(&table.slots);
    vector_free(&table.scratch);
}
