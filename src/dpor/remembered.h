/* Wakeup sequences that were inserted into a tree without making it grow, kept in case the branch
 * that covers them is dropped.
 *
 * A sequence goes below a child of the tree either because it contains that step or because it is
 * independent of it. If the child is later dropped because its step is forbidden, the sequences
 * that contain it are dropped with it, but those that are merely independent of it must not be.
 * These are remembered at the leaf where they ended. */
#ifndef HEDDLE_DPOR_REMEMBERED_H
#define HEDDLE_DPOR_REMEMBERED_H

#include "dpor/sequence.h"
#include "dpor/wakeup.h"

#define REMEMBERED_NONE UINT32_MAX

typedef struct remembered {
    step_sequence sequence;
    uint32_t length; /* of the prefix at which it was inserted */
    uint32_t next;   /* in a list, or among the free ones */
} remembered;

typedef struct remembered_pool {
    VECTOR(remembered) items;
    VECTOR(uint32_t) lists; /* by node of the forest */
    uint32_t free;
} remembered_pool;

void remembered_init(remembered_pool *);
void remembered_free(remembered_pool *);

/* Stores a copy of the sequence, which was inserted at a prefix of that length, at the node. */
void remembered_add(remembered_pool *, uint32_t node, const step_sequence *, uint32_t length);

/* Removes everything that is remembered at the node and below it. Returns the first of a list. */
uint32_t remembered_take(remembered_pool *, const wakeup_forest *, uint32_t node);

/* Copies what is left of the item after the first `length` events, which descended the tree from
 * where it was inserted, and returns whether a step of `thread` is left in it. */
bool remembered_contains(const remembered_pool *, uint32_t item, const execution *, uint32_t length,
                         uint32_t thread, step_sequence *sequence);

static inline uint32_t remembered_next(const remembered_pool *p, uint32_t item) {
    return vector_at(&p->items, item).next;
}

/* Releases a list. */
void remembered_drop(remembered_pool *, uint32_t first);

#endif
