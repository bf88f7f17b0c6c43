/* States along the way that an abstract program has gone since its reset, so that going back to a
 * place does not have to start from the beginning.
 *
 * They lie on a stack, the longer prefixes on top. A new one is taken when the way has grown by
 * SNAPSHOT_DISTANCE steps and by a share of its length since the last one, so that their number
 * grows with the logarithm of the length only. Where states are large there are none. */
#ifndef HEDDLE_TARGETS_ABSTRACT_SNAPSHOTS_H
#define HEDDLE_TARGETS_ABSTRACT_SNAPSHOTS_H

#include "base/vector.h"

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

/* Keeps the state after that many steps, if a new one is due. */
void snapshots_take(snapshot_stack *, const void *state, size_t size, uint32_t length);

/* Writes the state after the longest prefix, of at most that length, that was kept, and forgets
 * those of longer ones. Returns its length; 0: there is none, and nothing was written. */
uint32_t snapshots_back(snapshot_stack *, void *state, size_t size, uint32_t length);

#endif
