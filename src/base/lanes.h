/* Rows of counters, several at a time. Counters stay below 2^31, so that all comparisons can be
 * signed, which every vector unit has; the length of a row is a multiple of LANE_COUNT. Compilers
 * do not vectorise the plain loops like this. */
#ifndef HEDDLE_BASE_LANES_H
#define HEDDLE_BASE_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { LANE_COUNT = 4 };

typedef int32_t lanes __attribute__((vector_size(16), aligned(4), may_alias));
typedef int64_t lane_halves __attribute__((vector_size(16)));

static inline lanes *lanes_at(uint32_t *row, uint32_t i) {
    return (lanes *)(row + i);
}

static inline const lanes *lanes_of(const uint32_t *row, uint32_t i) {
    return (const lanes *)(row + i);
}

static inline void lanes_copy(uint32_t *row, const uint32_t *other, uint32_t count) {
    for (uint32_t i = 0; i < count; i += LANE_COUNT) {
        *lanes_at(row, i) = *lanes_of(other, i);
    }
}

static inline void lanes_clear(uint32_t *row, uint32_t count) {
    for (uint32_t i = 0; i < count; i += LANE_COUNT) {
        *lanes_at(row, i) = (lanes){0};
    }
}

/* row := the greater of both, counter by counter. */
static inline void lanes_join(uint32_t *row, const uint32_t *other, uint32_t count) {
    for (uint32_t i = 0; i < count; i += LANE_COUNT) {
        lanes a = *lanes_at(row, i), b = *lanes_of(other, i), greater = a > b;
        *lanes_at(row, i) = (a & greater) | (b & ~greater);
    }
}

/* Rows of `from` counters become rows of `to`, for which there is room, with `fill` in the new
 * counters: rows move apart, from the last to the first. */
static inline void lanes_widen(uint32_t *rows, uint32_t row_count, uint32_t from, uint32_t to,
                               uint32_t fill) {
    for (uint32_t row = row_count; row-- > 0;) {
        uint32_t *wide = rows + (size_t)row * to;
        memmove(wide, rows + (size_t)row * from, from * sizeof *rows);
        for (uint32_t i = from; i < to; i++) {
            wide[i] = fill;
        }
    }
}

/* Some counter is greater than the other's. */
static inline bool lanes_exceed(const uint32_t *row, const uint32_t *other, uint32_t count) {
    lanes found = {0};
    for (uint32_t i = 0; i < count; i += LANE_COUNT) {
        found |= *lanes_of(row, i) > *lanes_of(other, i);
    }
    lane_halves any = (lane_halves)found;
    return (any[0] | any[1]) != 0;
}

#endif
