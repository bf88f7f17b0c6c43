#include "base/vector.h"

void *vector_grow(void *items, uint32_t *capacity, uint32_t needed, size_t item_size) {
    uint32_t grown = *capacity ? *capacity : VECTOR_FIRST_CAPACITY;
    while (grown < needed) {
        CHECK(grown <= UINT32_MAX / 2);
        grown *= 2;
    }
    items = memory_resize(items, *capacity * item_size, grown * item_size);
    *capacity = grown;
    return items;
}
