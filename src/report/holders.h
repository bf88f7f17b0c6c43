/* Who holds which lock at some step of a finding, derived from its steps. Several threads may hold
 * a read-write lock, and one may hold it several times. */
#ifndef HEDDLE_REPORT_HOLDERS_H
#define HEDDLE_REPORT_HOLDERS_H

#include "report/finding.h"

typedef struct holder {
    uint32_t object;
    uint32_t thread;
    uint32_t since; /* the step that took it */
    uint32_t times; /* not yet released */
} holder;

typedef VECTOR(holder) holder_list;

/* Whether others may take the object the same way while it is held. */
static inline bool holder_shares(enum operation_kind kind) {
    return operation_table[kind].effect == MAKES_READ;
}

/* The holders after the first `count` steps, in the order of acquisition. The caller frees it. */
void holders_find(const finding *, uint32_t count, holder_list *found);

#endif
