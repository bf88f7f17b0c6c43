#include "base/vector.h"

#include "base/limit.h"

void *vector_grow(void *items, uint32_t *capacity, uint32_t needed, size_t item_size) {
    uint32_t grown = *capacity ? *capacity : VECTOR_FIRST_CAPACITY;
    while (grown < needed) {
        if (grown > UINT32_MAX / 2) {
            limit_escape(LIMIT_EVENTS);
        }
        grown *= 2;
    }
    items = memory_resize(items, *capacity * item_size, grown * item_size);
    *capacity = grown;
    return items;
}
