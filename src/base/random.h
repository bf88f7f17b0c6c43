/* A small seeded generator (splitmix64): the same seed gives the same sequence everywhere. */
#ifndef HEDDLE_BASE_RANDOM_H
#define HEDDLE_BASE_RANDOM_H

#include <stdint.h>

typedef struct random_source {
    uint64_t state;
} random_source;

static inline uint64_t random_next(random_source *source) {
    uint64_t z = (source->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Uniform enough in 0..bound-1 for bounds far below 2^32. */
static inline uint32_t random_below(random_source *source, uint32_t bound) {
    return (uint32_t)(((random_next(source) >> 32) * bound) >> 32);
}

#endif
