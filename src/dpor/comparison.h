/* Context-sensitive independence (CAV 2017): do both orders of two racing steps lead from the
 * current state to the same state? Both are run to find out. */
#ifndef HEDDLE_DPOR_COMPARISON_H
#define HEDDLE_DPOR_COMPARISON_H

#include "dpor/dontdo.h"
#include "dpor/reversal.h"
#include "explore/exploration.h"

typedef VECTOR(char) state_bytes;

typedef struct comparison {
    state_bytes reference, state;
    step_sequence sequence;
    step_sequence others;
    VECTOR(bool) needed;
    bool failed; /* a step of the latest run was an error of the program */
} comparison;

void comparison_free(comparison *);

/* Whether a run counts. Its last two steps should have been these; `sequence` has them as they were
 * taken. */
typedef bool comparison_rule(const comparison *, sleeper first, sleeper second);

/* Takes the steps of `sequence` after the first `length` events and fills their footprints in.
 * False if one cannot be taken. */
bool comparison_run(comparison *, exploration *, uint32_t length);

/* Saves the state of the target. */
void comparison_keep(comparison *, exploration *);

/* The target is in the saved state; or at least the thread is, where threads can be compared. */
bool comparison_holds(comparison *, exploration *);
bool comparison_holds_for(comparison *, exploration *, uint32_t thread);

/* Both orders of e and p, after the first `length` events and the steps of `sequence`, can be run,
 * count, and lead to the same state. If so, `sequence` ends with p.e. */
bool comparison_of_orders(comparison *, exploration *, uint32_t length, sleeper e, sleeper p,
                          comparison_rule *counts);

/* The race of the reversal's e, which comes after E', with the step p: whether E'.u.e.p and
 * E'.u.p.e are executions without an error that end in the same state, where u are those of
 * notdep(e,E) that p needs. If so, `sequence` is u.p.e. */
bool comparison_commutes(comparison *, exploration *, const reversal *, sleeper p);

#endif
