/* A hash table from hashes to numbers. The caller defines what a number means, usually the index of
 * an item in a vector, and compares items whose hashes are equal. Numbers are never removed one by
 * one.
 *
 * Open addressing, at most half full. A slot keeps the whole hash, so that growing does not involve
 * the caller and most other items are skipped without comparing them. Rejected: items in the table,
 * whose addresses and order would change when it grows. */
#ifndef HEDDLE_BASE_HASH_INDEX_H
#define HEDDLE_BASE_HASH_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vector.h"

#define HASH_INDEX_NONE UINT32_MAX

typedef struct hash_index_slot {
    uint32_t hash;
    uint32_t number; /* + 1; 0: free */
} hash_index_slot;

typedef struct hash_index {
    VECTOR(hash_index_slot) slots; /* a power of two of them, or none */
    uint32_t count;                /* of those in use */
} hash_index;

/* The hash of several words: start with the seed, mix them in one by one, and fold. */
#define HASH_INDEX_SEED 0x9e3779b97f4a7c15u

static inline uint64_t hash_index_mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0xbf58476d1ce4e5b9u;
    return hash ^ hash >> 29;
}

static inline uint32_t hash_index_fold(uint64_t hash) {
    return (uint32_t)(hash ^ hash >> 32);
}

/* The number with that hash for which `is_wanted` returns true, or HASH_INDEX_NONE. */
static inline uint32_t hash_index_find(const hash_index *t, uint32_t hash,
                                       bool (*is_wanted)(const void *context, uint32_t number),
                                       const void *context) {
    if (!t->count) {
        return HASH_INDEX_NONE;
    }
    DEBUG_CHECK((t->slots.count & (t->slots.count - 1)) == 0);
    uint32_t mask = t->slots.count - 1;
    for (uint32_t at = hash & mask; vector_at_fast(&t->slots, at).number; at = (at + 1) & mask) {
        const hash_index_slot *slot = &vector_at_fast(&t->slots, at);
        if (slot->hash == hash && is_wanted(context, slot->number - 1)) {
            return slot->number - 1;
        }
    }
    return HASH_INDEX_NONE;
}

/* Adds a number that is not in the table. */
void hash_index_add(hash_index *, uint32_t hash, uint32_t number);

/* Forgets all numbers and keeps the memory. */
void hash_index_clear(hash_index *);
void hash_index_free(hash_index *);

#endif
