/* 128-bit hashes and sets of them. Sets of traces, outcomes and states are sets of hashes: with
 * some millions of elements a collision of 128 bits is out of the question. */
#ifndef HEDDLE_ORACLE_HASH_H
#define HEDDLE_ORACLE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash_index.h"
#include "base/vector.h"

typedef struct hash {
    uint64_t low, high;
} hash;

/* A bijection of 64-bit words that looks random (the finalizer of splitmix64). */
static inline uint64_t hash_mix(uint64_t z) {
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* h followed by one more word; the order matters. */
static inline hash hash_append(hash h, uint64_t word) {
    return (hash){hash_mix(h.low ^ hash_mix(word)),
                  hash_mix(h.high + hash_mix(word ^ 0x5851f42d4c957f2du))};
}

/* The hash of a set is the sum of the hashes of its elements: the order does not matter. */
static inline hash hash_sum(hash a, hash b) {
    return (hash){a.low + b.low, a.high + b.high};
}

static inline bool hash_equal(hash a, hash b) {
    return a.low == b.low && a.high == b.high;
}

typedef struct hash_entry {
    hash key;
    uint64_t value; /* the user's */
} hash_entry;

typedef struct hash_table {
    VECTOR(hash_entry) entries; /* in the order in which they were added */
    hash_index numbers;         /* of entries */
} hash_table;

void hash_table_free(hash_table *);
void hash_table_clear(hash_table *);

/* NULL if it is not there. */
hash_entry *hash_table_find(const hash_table *, hash);

/* The entry, added with value 0 if it was not there. Good until the next addition. */
hash_entry *hash_table_add(hash_table *, hash, bool *added);

/* Some key of a that is not in b; false if a is a subset. */
bool hash_table_missing(const hash_table *a, const hash_table *b, hash *key);

#endif
