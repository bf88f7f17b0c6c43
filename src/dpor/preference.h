/* Which of two events comes first, once decided: at most one order per pair, and it never changes.
 * Events are named by thread and index, which are valid in all executions. */
#ifndef HEDDLE_DPOR_PREFERENCE_H
#define HEDDLE_DPOR_PREFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash_index.h"
#include "base/vector.h"

typedef struct event_name {
    uint32_t thread, index;
} event_name;

typedef struct preferred_pair {
    event_name first, second;
} preferred_pair;

typedef struct preference_table {
    VECTOR(preferred_pair) pairs;
    hash_index numbers; /* of pairs */
} preference_table;

void preference_free(preference_table *);

/* "first before second" has been decided. */
bool preference_holds(const preference_table *, event_name first, event_name second);

/* Some event has been decided to come after this one. */
bool preference_is_first(const preference_table *, event_name);

/* Decides it; the other order must not have been decided. */
void preference_settle(preference_table *, event_name first, event_name second);

#endif
