/* A target that computes each state of a small program once, and each step from it: for many
 * explorations of one program, in which the same few states come again and again. Going back,
 * comparing and taking a step that was taken before then cost next to nothing.
 *
 * The steps are those of the interpreter; but its own ways of going back and of saving states are
 * not tested here, as they are with random programs. Operations that are pending hold footprints,
 * so the table of these must not be cleared before the target is gone. */
#ifndef HEDDLE_ORACLE_KNOWN_STATES_H
#define HEDDLE_ORACLE_KNOWN_STATES_H

#include "explore/target.h"
#include "targets/abstract/program.h"

/* All that a step depends on is in the state that the target saves, and nothing is learnt on the
 * way: variables, mutexes and conditions, no messages, no loops, no plain accesses. */
bool known_states_suit(const target *, const program *);

/* The target of that program becomes its own. */
target *known_states_create(target *, const program *);

#endif
