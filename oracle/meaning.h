/* What a program with loops means, without any notion of a void round: all states that it can reach
 * are visited, going round in loops as often as it takes to find nothing new. The executions that
 * brute force finds, in which void rounds are left out, must end in the same states, and threads
 * must be able to go round forever in both or in neither. */
#ifndef HEDDLE_ORACLE_MEANING_H
#define HEDDLE_ORACLE_MEANING_H

#include "oracle/brute.h"

enum meaning { MEANING_SAME, MEANING_UNKNOWN, MEANING_OTHER_ENDS, MEANING_OTHER_ROUNDS };

/* Unknown: there are too many states. */
enum meaning meaning_compare(const program *, const brute *);

/* All these states one by one; `end`: no thread can take a step there. `idle`: a wait times out
 * only where the others can do nothing but go round, and of several the one of the first thread.
 * `rounds`: threads can go round forever. False: there are too many states. */
typedef void meaning_visit(void *context, const machine *, bool end);
bool meaning_states(const program *, bool idle, meaning_visit *, void *context, bool *rounds);

#endif
