/* Sleep sets (Godefroid), one per prefix of the current execution.
 *
 * A sleeping step is one whose exploration after the prefix would be redundant. It is a thread
 * together with its alternative and its footprint there; the footprint stays valid as long as the
 * step sleeps, because everything that could change it conflicts with it and so wakes it.
 *
 * The sets of all prefixes are on one stack: descending pushes the filtered set, going back pops
 * it, and only the topmost set grows. */
#ifndef HEDDLE_DPOR_SLEEP_H
#define HEDDLE_DPOR_SLEEP_H

#include "core/execution.h"

typedef struct sleeper {
    uint32_t thread;
    uint32_t choice;
    footprint footprint;
} sleeper;

typedef struct sleep_stack {
    VECTOR(sleeper) sleepers;
    VECTOR(uint32_t) starts; /* of the set of each prefix, by its length */
} sleep_stack;

void sleep_init(sleep_stack *); /* with the empty set of the empty prefix */
void sleep_free(sleep_stack *);

/* Pushes the set of the prefix that is longer by `taken`: the steps of the topmost set that are
 * independent of it. */
void sleep_descend(sleep_stack *, const event *taken);

/* Goes back to the prefix of that length. */
void sleep_ascend(sleep_stack *, uint32_t length);

/* Adds to the topmost set. */
void sleep_add(sleep_stack *, sleeper);

static inline const sleeper *sleep_begin(const sleep_stack *s, uint32_t length) {
    return s->sleepers.items + vector_at(&s->starts, length);
}

static inline const sleeper *sleep_end(const sleep_stack *s, uint32_t length) {
    bool top = length + 1 == s->starts.count;
    return s->sleepers.items + (top ? s->sleepers.count : vector_at(&s->starts, length + 1));
}

/* The sets are contiguous, none has a step twice, and a set begins with those steps of the previous
 * set that the event between them left asleep, in the same order, followed by what was explored
 * since; for debug builds. */
void sleep_check(const sleep_stack *, const execution *);

bool sleep_contains(const sleep_stack *, uint32_t length, uint32_t thread, uint32_t choice);

#endif
