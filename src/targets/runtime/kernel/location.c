#include "targets/runtime/kernel/location.h"

#include <sys/mman.h>

#include "base/vector.h"

uint32_t *location_table;
uint32_t location_outside;
static VECTOR(uintptr_t) addresses;
location_list location_witness WITNESS;
WITNESS_ANNOUNCE(location_witness)

void location_open(void) {
    CHECK(!location_table && space.text_size);
    location_table = space_reserve((space.text_size + 1) * sizeof *location_table);
    vector_clear(&addresses);
    vector_push(&addresses, 0);
}

void location_close(void) {
    CHECK(munmap(location_table, (space.text_size + 1) * sizeof *location_table) == 0);
    location_table = NULL;
    vector_free(&addresses);
}

uint32_t location_new(uintptr_t offset) {
    uint32_t number = addresses.count;
    CHECK(number < LOCATION_WANTED && offset < space.text_size);
    CHECK(!(location_table[offset] & ~LOCATION_MARKS));
    vector_push(&addresses, space.text_low + offset);
    if (number < sizeof location_witness.addresses / sizeof *location_witness.addresses) {
        location_witness.addresses[number] = space.text_low + offset;
    }
    location_table[offset] |= number;
    return location_table[offset];
}

void location_mark_compound(uintptr_t offset) {
    if (offset < space.text_size) {
        location_table[offset] |= LOCATION_COMPOUND;
    }
}

uintptr_t location_address(uint32_t location) {
    return location < addresses.count ? vector_at(&addresses, location) : 0;
}
