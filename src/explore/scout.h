/* A look ahead: errors may show early in schedules that a depth-first search reaches late. When the
 * exploration has run for a while without an error, a few executions are run in other orders:
 * highest thread first, in turns, with one and two preemptions at random places (PCT), and at
 * random; and again when an endless execution ends the exploration. Only the errors that they find
 * count: what is explored, and what is counted, stays the same. */
#ifndef HEDDLE_EXPLORE_SCOUT_H
#define HEDDLE_EXPLORE_SCOUT_H

#include "explore/exploration.h"

/* The first look ahead is after this many executions. */
enum { SCOUT_FIRST = 50 };

/* After how many executions the next look ahead is, if this many have been run. 0: never. */
uint64_t scout_next(uint64_t executions);

/* Runs them, if it is time. False: an error was found and the sink stops, or what was explored is
 * stale. */
bool scout_look(exploration *, const strategy_class *, uint64_t executions);

/* The same after an execution that was cut and is the last. */
bool scout_look_after_cut(const exploration *);

#endif
