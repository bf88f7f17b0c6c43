/* Don't-do sets (CAV 2017, ISSTA 2019): sleep sets whose members are sequences of steps, one set
 * per prefix of the current execution. Every execution that begins with such a sequence leads to
 * states that are reached elsewhere; a step that is such a sequence by itself must not be taken.
 *
 * Unlike a sleep set, the set of a prefix may grow while a longer prefix is explored. */
#ifndef HEDDLE_DPOR_DONTDO_H
#define HEDDLE_DPOR_DONTDO_H

#include "dpor/sequence.h"

#define DONTDO_UNTAGGED UINT32_MAX

typedef struct dontdo_sequence {
    uint32_t first, count; /* in the set's steps */
    uint32_t tag;          /* the tag that it was added with */
} dontdo_sequence;

typedef struct dontdo_set {
    VECTOR(sleeper) steps;
    VECTOR(dontdo_sequence) sequences;
} dontdo_set;

typedef struct dontdo_stack {
    VECTOR(dontdo_set) sets; /* by length of the prefix; those beyond `depth` keep their memory */
    uint32_t depth;
    uint32_t most; /* the largest number of sequences at one time */
    uint32_t held;
} dontdo_stack;

void dontdo_init(dontdo_stack *); /* with the empty set of the empty prefix */
void dontdo_free(dontdo_stack *);

/* Adds a sequence of two or more steps to the set of the prefix, unless it is already there. */
void dontdo_add(dontdo_stack *, uint32_t length, const sleeper *steps, uint32_t count,
                uint32_t tag);

/* Removes from the set of the prefix the sequences with that tag. */
void dontdo_revoke(dontdo_stack *, uint32_t length, uint32_t tag);

/* Makes the set of the prefix that is longer by `taken`: the rest of each sequence that can begin
 * with it, and the sequences that are independent of it and have no step of its thread. */
void dontdo_descend(dontdo_stack *, const event *taken);

/* Back to the prefix of that length. */
void dontdo_ascend(dontdo_stack *, uint32_t length);

/* Every sequence is within the steps of its set, none is empty, and their count is right; for debug
 * builds. */
void dontdo_check(const dontdo_stack *);

/* The step alone is in the set of the prefix. */
bool dontdo_contains(const dontdo_stack *, uint32_t length, uint32_t thread, uint32_t choice);

#endif
