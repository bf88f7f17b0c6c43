#include "targets/abstract/names.h"

#include <string.h>

static uint32_t bucket_of(const name_table *table, name n) {
    uint64_t h = ((uint64_t)n.kind << 32 | n.a) * 0x9e3779b97f4a7c15u;
    h = (h ^ h >> 29 ^ (uint64_t)n.b) * 0xbf58476d1ce4e5b9u;
    return (uint32_t)(h >> 32) & (table->buckets.count - 1);
}

/* The bucket that holds the name, or the empty one where it belongs. */
static uint32_t *find_bucket(name_table *table, name n) {
    for (uint32_t at = bucket_of(table, n);; at = (at + 1) & (table->buckets.count - 1)) {
        uint32_t *bucket = &vector_at(&table->buckets, at);
        const name *known = *bucket ? &vector_at(&table->names, *bucket - 1) : NULL;
        if (!known || (known->kind == n.kind && known->a == n.a && known->b == n.b)) {
            return bucket;
        }
    }
}

static void grow(name_table *table) {
    uint32_t count = table->buckets.count ? table->buckets.count * 2 : 64;
    vector_resize(&table->buckets, count);
    memset(table->buckets.items, 0, count * sizeof *table->buckets.items);
    for (uint32_t i = 0; i < table->names.count; i++) {
        *find_bucket(table, vector_at(&table->names, i)) = i + 1;
    }
}

uint32_t name_number(name_table *table, name n) {
    if (table->names.count * 2 >= table->buckets.count) {
        grow(table);
    }
    uint32_t *bucket = find_bucket(table, n);
    if (!*bucket) {
        vector_push(&table->names, n);
        *bucket = table->names.count;
    }
    return *bucket - 1;
}

void name_table_free(name_table *table) {
    vector_free(&table->names);
    vector_free(&table->buckets);
}
