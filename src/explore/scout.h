/* A look ahead: errors may show early in schedules that a depth-first search reaches late. When the
 * exploration has run for a while without an error, a few executions are run in other orders:
 * highest thread first, in turns, with one and two preemptions at random places (PCT), and at
 * random; and again when an endless execution ends the exploration. Only the errors that they find
 * count: what is explored, and what is counted, stays the same.
 *
 * If the end is far off, executions at random are the better use of the time: each time that four
 * times as many executions were explored, what is left is estimated, and the more it is the more
 * executions are run at random, up to half of all steps. So an exploration that ends loses a few
 * percent; one that would not end finds errors that it would never come to. */
#ifndef HEDDLE_EXPLORE_SCOUT_H
#define HEDDLE_EXPLORE_SCOUT_H

#include "explore/exploration.h"

/* The first look ahead is after this many executions. */
enum { SCOUT_FIRST = 50 };

/* After how many executions the next look ahead is, if this many have been run. 0: never. */
uint64_t scout_next(uint64_t executions);

/* Whether other processes may take work: not before the first few looks ahead, so that what these
 * find, and when, does not depend on the number of processes. */
bool scout_shares(const exploration *);

/* Runs them, if it is time. False: an error was found and the sink stops, or what was explored is
 * stale. */
bool scout_look(exploration *, strategy *, uint64_t executions);

/* The same after an execution that was cut and is the last. */
bool scout_look_after_cut(const exploration *);

#endif
