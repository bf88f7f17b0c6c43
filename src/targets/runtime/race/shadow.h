/* What the race detector keeps, for the files of this directory.
 *
 * Plain accesses are in the histories of granules (histories.h). Objects that are accessed
 * atomically have a shadow as well, with the histories and the atomic objects in it. A shadow of
 * another execution than the current one is void: a reset only counts on. What is about to change
 * is logged first, once per unit (undo.h). */
#ifndef HEDDLE_TARGETS_RUNTIME_RACE_SHADOW_H
#define HEDDLE_TARGETS_RUNTIME_RACE_SHADOW_H

#include "base/vector.h"
#include "targets/runtime/race/histories.h"
#include "targets/runtime/race/race.h"

/* What acquiring reads of these bytes synchronise with. */
typedef struct atomic_cell {
    uint32_t next;     /* in race.cells */
    uint32_t clock;    /* row, kept once it was needed */
    uint32_t releaser; /* thread + 1 that heads the release sequence */
    uint32_t slots;    /* `stride` of them, by thread */
    uint8_t bytes;     /* 0: not used */
    bool released;     /* the clock is that of a release sequence */
    bool mixed;        /* of the first one: some of the granule's cells overlap */
    uint8_t current;   /* bytes not written through another cell since; if some overlap */
} atomic_cell;

/* The latest atomic read and write of one thread. Atomic operations do not race with each other,
 * so they need no list that is searched each time. */
typedef struct atomic_slot {
    uint32_t time[2]; /* read, write; 0: none */
    uint32_t location[2];
} atomic_slot;

/* Of a race: the earlier one. */
typedef struct other_access {
    uint32_t thread, location;
    uint8_t bytes; /* of the granule */
    uint8_t mode;  /* with RACE_ATOMIC */
} other_access;

typedef struct shadow {
    uint32_t execution; /* first; in which the rest was written */
    uint32_t unit;      /* in which it was logged (undo.h) */
    uint32_t histories[RACE_HALVES];
    atomic_cell cell; /* nearly always there is one per granule; others follow it */
} shadow;

typedef struct race_detector {
    VECTOR(access_record) records; /* index 0 is unused */
    VECTOR(atomic_cell) cells;
    VECTOR(atomic_slot) slots;
    VECTOR(shadow) shadows;     /* by object */
    VECTOR(bool) owning;        /* by object: its history is its shadow's; for good */
    VECTOR(uint32_t) clocks;    /* rows of `stride` counters; row 0 is unused */
    VECTOR(uint32_t) row_units; /* in which units the rows were logged */
    VECTOR(word_run) touched, changes;
    uint64_t stamp; /* counts whenever remembered steps of histories are no longer right */
    uint32_t crowd; /* with this many records it is worth looking for unused ones */
    uint32_t rows;
    uint32_t stride;
    uint32_t execution;
    race_mark mark; /* what comes after it is of the open unit, and need not be logged */
} race_detector;

extern race_detector race;

/* Remembered steps of histories are no longer right, nor what was foreseen by them. */
static inline void race_end_steps(void) {
    race.stamp++;
    runtime.stretch++;
}

void race_add_shadows(uint32_t object);
void race_prepare_shadow(uint32_t object);

/* The shadow, which is about to change. */
static inline shadow *race_known_shadow(uint32_t object) {
    shadow *s = &vector_at_fast(&race.shadows, object); /* whoever asks has looked */
    if (unlikely(s->unit != undo.unit || s->execution != race.execution)) {
        race_prepare_shadow(object);
    }
    return s;
}

static inline shadow *race_shadow_of(uint32_t object) {
    if (unlikely(object >= race.shadows.count)) {
        race_add_shadows(object);
    }
    return race_known_shadow(object);
}

/* footprint_access for a footprint that is not a set, which nearly all are. */
static inline memory_access race_single_access(footprint f) {
    return (memory_access){
        .object = (uint32_t)f, .bytes = (uint8_t)(f >> 32), .mode = (uint8_t)(f >> 40)};
}

/* The atomic object that the access is to. */
atomic_cell *race_cell_of(memory_access);

/* A race with an earlier access: both are promoted, and the first one is an error. */
void race_report_access(runtime_thread *t, memory_access a, uint8_t mode, uint32_t location,
                        const other_access *other);

/* Compares an access with the earlier ones: an atomic one with the plain ones, a plain one with the
 * atomic ones. */
void race_check_plain(runtime_thread *t, const shadow *s, memory_access a, uint8_t mode,
                      uint32_t location);
void race_check_atomic(runtime_thread *t, const shadow *s, memory_access a, uint32_t location);

#endif
