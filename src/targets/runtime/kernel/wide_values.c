#include "targets/runtime/kernel/wide_values.h"

#include <string.h>

#include "base/hash_index.h"
#include "base/vector.h"

static VECTOR(version_value) values;
static hash_index numbers; /* of them */

void wide_close(void) {
    vector_free(&values);
    hash_index_free(&numbers);
}

static bool is_value(const void *value, uint32_t number) {
    return memcmp(value, &vector_at(&values, number), WIDE_SIZE) == 0;
}

uint64_t wide_number(const void *place) {
    version_value value;
    memcpy(&value, place, sizeof value);
    uint64_t half = hash_index_mix(HASH_INDEX_SEED, (uint64_t)value);
    uint32_t hash = hash_index_fold(hash_index_mix(half, (uint64_t)(value >> 64)));
    uint32_t number = hash_index_find(&numbers, hash, is_value, &value);
    if (number == HASH_INDEX_NONE) {
        number = values.count;
        vector_push(&values, value);
        hash_index_add(&numbers, hash, number);
    }
    return number;
}

version_value wide_value(uint64_t number, uint32_t size) {
    return size == WIDE_SIZE ? vector_at(&values, (uint32_t)number) : number;
}
