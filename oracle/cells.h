/* Sets of cells of the oracle's machine: a bit for each, in a few words. */
#ifndef HEDDLE_ORACLE_CELLS_H
#define HEDDLE_ORACLE_CELLS_H

#include <stdbool.h>
#include <stdint.h>

#define MACHINE_CELLS 256
#define CELL_WORDS    (MACHINE_CELLS / 64)

typedef struct cell_set {
    uint64_t words[CELL_WORDS];
} cell_set;

static inline void cells_add(cell_set *s, uint32_t cell) {
    s->words[cell / 64] |= (uint64_t)1 << cell % 64;
}

static inline void cells_remove(cell_set *s, uint32_t cell) {
    s->words[cell / 64] &= ~((uint64_t)1 << cell % 64);
}

static inline bool cells_have(const cell_set *s, uint32_t cell) {
    return s->words[cell / 64] >> cell % 64 & 1;
}

static inline bool cells_any(const cell_set *s) {
    uint64_t all = 0;
    for (uint32_t i = 0; i < CELL_WORDS; i++) {
        all |= s->words[i];
    }
    return all != 0;
}

/* Some cell is in both. */
static inline bool cells_meet(const cell_set *a, const cell_set *b) {
    uint64_t both = 0;
    for (uint32_t i = 0; i < CELL_WORDS; i++) {
        both |= a->words[i] & b->words[i];
    }
    return both != 0;
}

static inline bool cells_equal(const cell_set *a, const cell_set *b) {
    uint64_t apart = 0;
    for (uint32_t i = 0; i < CELL_WORDS; i++) {
        apart |= a->words[i] ^ b->words[i];
    }
    return apart == 0;
}

static inline cell_set cells_common(cell_set a, const cell_set *b) {
    for (uint32_t i = 0; i < CELL_WORDS; i++) {
        a.words[i] &= b->words[i];
    }
    return a;
}

static inline cell_set cells_without(cell_set a, const cell_set *b) {
    for (uint32_t i = 0; i < CELL_WORDS; i++) {
        a.words[i] &= ~b->words[i];
    }
    return a;
}

#endif
