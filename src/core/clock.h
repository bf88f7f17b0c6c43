/* Vector clocks: rows of counters, one per thread, padded to a multiple of CLOCK_LANE. A counter
 * stays below 2^31: an execution cannot have more events. */
#ifndef HEDDLE_CORE_CLOCK_H
#define HEDDLE_CORE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/lanes.h"

#define CLOCK_LANE 4

static inline uint32_t clock_stride(uint32_t thread_count) {
    return (thread_count + CLOCK_LANE - 1) / CLOCK_LANE * CLOCK_LANE;
}

static inline void clock_copy(uint32_t *clock, const uint32_t *other, uint32_t stride) {
    lanes_copy(clock, other, stride);
}

static inline void clock_clear(uint32_t *clock, uint32_t stride) {
    lanes_clear(clock, stride);
}

/* clock := the greater of both, thread by thread. */
static inline void clock_join(uint32_t *clock, const uint32_t *other, uint32_t stride) {
    lanes_join(clock, other, stride);
}

/* Some counter is greater than the other's. */
static inline bool clock_exceeds(const uint32_t *clock, const uint32_t *other, uint32_t stride) {
    return lanes_exceed(clock, other, stride);
}

#endif
