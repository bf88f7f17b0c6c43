/* States of the target along the present execution, so that coming back to a place does not have to
 * start from the beginning.
 *
 * They lie on a stack, the longer prefixes on top. A new one is taken when the execution has grown
 * by SNAPSHOT_DISTANCE events and by a share of its length since the last one, so that their number
 * grows with the logarithm of the length only. Where states are large, or the target cannot save
 * them, there are none. */
#ifndef HEDDLE_EXPLORE_SNAPSHOTS_H
#define HEDDLE_EXPLORE_SNAPSHOTS_H

#include "base/vector.h"
#include "explore/target.h"

/* The torture build takes one at every step. */
#ifdef HEDDLE_TORTURE
#define SNAPSHOT_DISTANCE 1
#else
#define SNAPSHOT_DISTANCE 12
#endif
#define SNAPSHOT_SHARE   32
#define SNAPSHOT_LARGEST 8192u

typedef struct snapshot {
    uint32_t length; /* of the prefix */
    uint32_t start;  /* in the bytes */
} snapshot;

typedef struct snapshot_stack {
    VECTOR(snapshot) snapshots;
    VECTOR(char) bytes;
} snapshot_stack;

void snapshots_free(snapshot_stack *);

/* The target stands behind the prefix of that length: keeps its state, if it is time to. */
void snapshots_take(snapshot_stack *, target *, uint32_t length);

/* Forgets those of prefixes that are longer. */
void snapshots_cut(snapshot_stack *, uint32_t length);

/* Puts the target behind the longest prefix, of at most that length, that has been kept, or back to
 * the start. Returns the length of that prefix. */
uint32_t snapshots_restore(const snapshot_stack *, target *, uint32_t length);

#endif
