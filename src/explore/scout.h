/* A look ahead: errors show early in schedules that a depth-first search comes to late. Once the
 * exploration has continued for a while without an error, a few executions are run in other orders:
 * highest thread first, in turns, with one and two preemptions at random places (PCT), and at
 * random; and so when an execution that does not end ends the exploration. They count for nothing
 * but the errors that they meet: what is explored, and what is counted, stays the same. */
#ifndef HEDDLE_EXPLORE_SCOUT_H
#define HEDDLE_EXPLORE_SCOUT_H

#include "explore/exploration.h"

/* After so many executions for the first time. */
enum { SCOUT_FIRST = 50 };

/* When the next ones are run, if so many executions have been. 0: never. */
uint64_t scout_next(uint64_t executions);

/* Runs them, if it is time. False: an error was found, and the sink wants no more, or what was
 * explored is stale. */
bool scout_look(exploration *, const strategy_class *, uint64_t executions);

/* The same, once an execution was cut that is to be the last. */
bool scout_look_after_cut(const exploration *);

#endif
