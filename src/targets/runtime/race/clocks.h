/* The race detector's vector clocks: rows of one pool, as wide as there are threads. */
#ifndef HEDDLE_TARGETS_RUNTIME_RACE_CLOCKS_H
#define HEDDLE_TARGETS_RUNTIME_RACE_CLOCKS_H

#include "base/lanes.h"
#include "targets/runtime/kernel/undo.h"
#include "targets/runtime/race/shadow.h"

enum { RACE_CLOCK_GROUP = 8 }; /* the stride is a multiple of it */

/* A row of zeros. */
uint32_t race_new_row(void);
void race_log_row(uint32_t index);

static inline uint32_t *race_row(uint32_t index) {
    return &vector_at_fast(&race.clocks, (size_t)index * race.stride);
}

/* The row, which is about to change. */
static inline uint32_t *race_row_to_change(uint32_t index) {
    race_end_steps();
    if (unlikely(vector_at(&race.row_units, index) != undo.unit)) {
        race_log_row(index);
    }
    return race_row(index);
}

static inline void race_join_rows(uint32_t into, uint32_t from) {
    if (into != from) {
        lanes_join(race_row_to_change(into), race_row(from), race.stride);
    }
}

static inline void race_copy_row(uint32_t into, uint32_t from) {
    lanes_copy(race_row_to_change(into), race_row(from), race.stride);
}

static inline uint32_t race_now(const runtime_thread *t) {
    return race_row(t->clock)[t->number];
}

static inline void race_tick(const runtime_thread *t) {
    race_row_to_change(t->clock)[t->number]++;
}

#endif
