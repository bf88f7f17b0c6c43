#include "oracle/hash.h"

typedef struct wanted_hash {
    const hash_table *table;
    hash key;
} wanted_hash;

void hash_table_free(hash_table *t) {
    vector_free(&t->entries);
    hash_index_free(&t->numbers);
}

void hash_table_clear(hash_table *t) {
    vector_clear(&t->entries);
    hash_index_clear(&t->numbers);
}

static bool is_wanted(const void *context, uint32_t number) {
    const wanted_hash *wanted = context;
    return hash_equal(vector_at(&wanted->table->entries, number).key, wanted->key);
}

hash_entry *hash_table_find(const hash_table *t, hash key) {
    wanted_hash wanted = {t, key};
    uint32_t number = hash_index_find(&t->numbers, (uint32_t)key.low, is_wanted, &wanted);
    return number == HASH_INDEX_NONE ? NULL : &vector_at(&t->entries, number);
}

hash_entry *hash_table_add(hash_table *t, hash key, bool *added) {
    hash_entry *entry = hash_table_find(t, key);
    *added = !entry;
    if (!entry) {
        hash_index_add(&t->numbers, (uint32_t)key.low, t->entries.count);
        vector_push(&t->entries, (hash_entry){.key = key});
        entry = &vector_last(&t->entries);
    }
    return entry;
}

bool hash_table_missing(const hash_table *a, const hash_table *b, hash *key) {
    for (uint32_t i = 0; i < a->entries.count; i++) {
        if (!hash_table_find(b, vector_at(&a->entries, i).key)) {
            *key = vector_at(&a->entries, i).key;
            return true;
        }
    }
    return false;
}
