/* Vector clocks: rows of counters, one per thread, padded to a multiple of CLOCK_LANE.
 *
 * A counter stays below 2^31 (an execution cannot have more events), so that all comparisons can
 * be signed, which every vector unit has. */
#ifndef HEDDLE_CORE_CLOCK_H
#define HEDDLE_CORE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#define CLOCK_LANE 8

static inline uint32_t clock_stride(uint32_t thread_count) {
    return (thread_count + CLOCK_LANE - 1) / CLOCK_LANE * CLOCK_LANE;
}

static inline void clock_copy(uint32_t *restrict clock, const uint32_t *restrict other,
                              uint32_t stride) {
    for (uint32_t i = 0; i < stride; i += CLOCK_LANE) {
        for (uint32_t j = i; j < i + CLOCK_LANE; j++) {
            clock[j] = other[j];
        }
    }
}

static inline void clock_clear(uint32_t *clock, uint32_t stride) {
    for (uint32_t i = 0; i < stride; i += CLOCK_LANE) {
        for (uint32_t j = i; j < i + CLOCK_LANE; j++) {
            clock[j] = 0;
        }
    }
}

/* clock := the greater of both, thread by thread. */
static inline void clock_join(uint32_t *restrict clock, const uint32_t *restrict other,
                              uint32_t stride) {
    for (uint32_t i = 0; i < stride; i += CLOCK_LANE) {
        for (uint32_t j = i; j < i + CLOCK_LANE; j++) {
            clock[j] = (int32_t)clock[j] > (int32_t)other[j] ? clock[j] : other[j];
        }
    }
}

/* Some counter is greater than the other's. */
static inline bool clock_exceeds(const uint32_t *restrict clock, const uint32_t *restrict other,
                                 uint32_t stride) {
    for (uint32_t i = 0; i < stride; i += CLOCK_LANE) {
        int32_t found = 0;
        for (uint32_t j = i; j < i + CLOCK_LANE; j++) {
            found |= (int32_t)clock[j] > (int32_t)other[j];
        }
        if (found) {
            return true;
        }
    }
    return false;
}

#endif
