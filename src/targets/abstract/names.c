#include "targets/abstract/names.h"

typedef struct wanted_name {
    const name_table *table;
    name name;
} wanted_name;

static uint32_t hash(name n) {
    uint64_t h = hash_index_mix(HASH_INDEX_SEED, (uint64_t)n.kind << 32 | n.a);
    return hash_index_fold(hash_index_mix(h, (uint64_t)n.b));
}

static bool is_wanted(const void *context, uint32_t number) {
    const wanted_name *wanted = context;
    const name *known = &vector_at(&wanted->table->names, number), *n = &wanted->name;
    return known->kind == n->kind && known->a == n->a && known->b == n->b;
}

uint32_t name_number(name_table *table, name n) {
    wanted_name wanted = {table, n};
    uint32_t number = hash_index_find(&table->numbers, hash(n), is_wanted, &wanted);
    if (number == HASH_INDEX_NONE) {
        number = table->names.count;
        hash_index_add(&table->numbers, hash(n), number);
        vector_push(&table->names, n);
    }
    return number;
}

void name_table_free(name_table *table) {
    vector_free(&table->names);
    hash_index_free(&table->numbers);
}
