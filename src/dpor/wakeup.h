/* Wakeup trees (JACM 2017, section 6): the initial fragments that must be explored after a prefix.
 *
 * Nodes are in one pool and referred to by number; the children of a node are ordered, the oldest
 * first, which is the order of exploration. The tree of a prefix is the children of its root node;
 * the root of a longer prefix is the child that was followed, so that descending copies nothing. */
#ifndef HEDDLE_DPOR_WAKEUP_H
#define HEDDLE_DPOR_WAKEUP_H

#include "dpor/reversal.h"
#include "dpor/sequence.h"

#define WAKEUP_NONE UINT32_MAX

typedef struct wakeup_node {
    uint32_t thread;
    uint32_t choice;
    footprint footprint; /* of the step at its place in the tree */
    uint32_t first_child, last_child;
    uint32_t next_sibling; /* also links the free nodes */
} wakeup_node;

typedef struct wakeup_forest {
    VECTOR(wakeup_node) nodes;
    uint32_t free;
    uint32_t used;
} wakeup_forest;

void wakeup_init(wakeup_forest *);
void wakeup_free(wakeup_forest *);

/* A node without parent or children. */
uint32_t wakeup_new(wakeup_forest *, uint32_t thread, uint32_t choice, footprint);

/* Makes `child` the last child of `parent`. */
void wakeup_append(wakeup_forest *, uint32_t parent, uint32_t child);

/* Removes the first child of `parent`, which must be a leaf, and releases it. */
void wakeup_drop_first(wakeup_forest *, uint32_t parent);

/* Releases everything below `node`, which can no longer be explored. */
void wakeup_prune(wakeup_forest *, uint32_t node);

/* Inserts the sequence into the tree below `root` (JACM 2017, section 6.2). The sequence is used
 * up. Returns whether the tree has grown: it has not if a leaf covers the sequence. */
bool wakeup_insert(wakeup_forest *, uint32_t root, reversal *);

/* Whether the child is a weak initial of what is left of the sequence. If so, the sequence is
 * inserted below it. */
typedef bool wakeup_weak_initial(void *context, const wakeup_node *child);

/* Where a sequence ended. */
typedef struct wakeup_end {
    uint32_t node;
    bool independent; /* it was inserted below a child whose step it does not contain */
} wakeup_end;

/* The same for a self-contained sequence; the caller defines its weak initials. */
wakeup_end wakeup_insert_steps(wakeup_forest *, uint32_t root, step_sequence *,
                               wakeup_weak_initial *, void *context);

static inline const wakeup_node *wakeup_at(const wakeup_forest *f, uint32_t node) {
    DEBUG_CHECK(node < f->nodes.count);
    return &vector_at(&f->nodes, node);
}

/* The links of the tree below `root` are consistent. */
void wakeup_check(const wakeup_forest *, uint32_t root);

#endif
