#include "oracle/hash.h"

#include <string.h>

#include "base/check.h"
#include "base/memory.h"

void hash_table_free(hash_table *t) {
    memory_resize(t->entries, t->capacity * sizeof *t->entries, 0);
    *t = (hash_table){0};
}

void hash_table_clear(hash_table *t) {
    if (t->count) {
        memset(t->entries, 0, t->capacity * sizeof *t->entries);
        t->count = 0;
    }
}

/* The entry of the key, or the free one where it belongs. */
static hash_entry *probe(const hash_table *t, hash key) {
    uint32_t mask = t->capacity - 1;
    uint32_t i = (uint32_t)key.low & mask;
    while (t->entries[i].used && !hash_equal(t->entries[i].key, key)) {
        i = (i + 1) & mask;
    }
    return &t->entries[i];
}

static void grow(hash_table *t) {
    hash_table larger = {.capacity = t->capacity ? 2 * t->capacity : 64};
    larger.entries = memory_resize(NULL, 0, larger.capacity * sizeof *larger.entries);
    for (uint32_t i = 0; i < t->capacity; i++) {
        if (t->entries[i].used) {
            *probe(&larger, t->entries[i].key) = t->entries[i];
        }
    }
    larger.count = t->count;
    hash_table_free(t);
    *t = larger;
}

hash_entry *hash_table_find(const hash_table *t, hash key) {
    if (!t->capacity) {
        return NULL;
    }
    hash_entry *entry = probe(t, key);
    return entry->used ? entry : NULL;
}

hash_entry *hash_table_add(hash_table *t, hash key, bool *added) {
    if (2 * (t->count + 1) > t->capacity) {
        grow(t);
    }
    hash_entry *entry = probe(t, key);
    *added = !entry->used;
    if (!entry->used) {
        *entry = (hash_entry){.key = key, .used = true};
        t->count++;
    }
    return entry;
}

bool hash_table_missing(const hash_table *a, const hash_table *b, hash *key) {
    for (uint32_t i = 0; i < a->capacity; i++) {
        if (a->entries[i].used && !hash_table_find(b, a->entries[i].key)) {
            *key = a->entries[i].key;
            return true;
        }
    }
    return false;
}
