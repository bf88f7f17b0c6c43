#include "targets/runtime/sync/benign.h"

#include "base/vector.h"
#include "targets/runtime/kernel/state.h"

typedef struct benign_range {
    uintptr_t address;
    size_t size;
    bool active; /* in this execution */
} benign_range;

static VECTOR(benign_range) known;

void benign_reset(void) {
    for (uint32_t i = 0; i < known.count; i++) {
        vector_at(&known, i).active = false;
    }
}

void benign_close(void) {
    vector_free(&known);
}

void benign_pass(struct state_cursor *c) {
    uint32_t count = known.count;
    STATE_PASS(c, count);
    CHECK(count <= known.count); /* none is ever forgotten */
    for (uint32_t i = 0; i < count; i++) {
        STATE_PASS(c, vector_at(&known, i).active);
    }
}

void benign_visit(void (*visit)(const char *name, uint32_t number, const void *, size_t)) {
    for (uint32_t i = 0; i < known.count; i++) {
        visit("benign races of a range", i, &vector_at(&known, i).active, sizeof(bool));
    }
}

static void set(uint32_t index, bool active) {
    CHECK(vector_at(&known, index).active != active || active); /* only what is active ends */
    undo_items(&known.items, index * sizeof *known.items, sizeof *known.items);
    vector_at(&known, index).active = active;
}

void benign_begin(uintptr_t address, size_t size) {
    uint32_t i = 0;
    while (i < known.count &&
           (vector_at(&known, i).address != address || vector_at(&known, i).size != size)) {
        i++;
    }
    if (i == known.count) {
        vector_push(&known, (benign_range){.address = address, .size = size});
    }
    set(i, true);
}

void benign_end(uintptr_t address, size_t size) {
    for (uint32_t i = 0; i < known.count; i++) {
        const benign_range *r = &vector_at(&known, i);
        if (r->active && (address - r->address < r->size || r->address - address < size)) {
            set(i, false);
        }
    }
}

static bool has_byte(uintptr_t address) {
    for (uint32_t i = 0; i < known.count; i++) {
        const benign_range *r = &vector_at(&known, i);
        if (r->active && address - r->address < r->size) {
            return true;
        }
    }
    return false;
}

bool benign_has(uintptr_t granule, uint8_t bytes) {
    CHECK(granule % 8 == 0);
    bool all = known.count && bytes;
    for (uint32_t i = 0; all && bytes >> i; i++) {
        all = !(bytes >> i & 1) || has_byte(granule + i);
    }
    return all;
}
