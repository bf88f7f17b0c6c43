/* Context-sensitive independence (CAV 2017): in the state at hand, do both orders of two racing
 * steps lead to the same state? Found out by running both. */
#ifndef HEDDLE_EXPLORE_COMPARISON_H
#define HEDDLE_EXPLORE_COMPARISON_H

#include "core/dontdo.h"
#include "core/reversal.h"
#include "explore/exploration.h"

typedef struct comparison {
    VECTOR(char) reference, state;
    step_sequence sequence;
} comparison;

void comparison_free(comparison *);

/* The race of e with the last step p of the reversal: whether E'.u.e.p and E'.u.p.e are executions
 * that end in the same state, where u are the events of notdep(e,E) that p needs. If so, `sequence`
 * is u.p.e. */
bool comparison_commutes(comparison *, exploration *, reversal *);

#endif
