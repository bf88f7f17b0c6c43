/* How many executions are left, by sampling.
 *
 * Pieces of work form a tree: an execution leaves pieces, each of which is an execution that leaves
 * more. Knuth (Mathematics of Computation 29, 1975) estimates the size of a tree by walking down at
 * random, weighing each node by the number of its siblings; Chen (SIAM Journal on Computing 21,
 * 1992) walks down several paths at once: nodes of one level that are alike form a stratum, of
 * which one is taken, with the weight of all. Pieces are alike if they have a similar number of
 * given steps and come at the same place among the pieces of one execution. The expected value of a
 * probe is right for every definition of "alike"; how much probes differ shows how far their mean
 * can be trusted. */
#ifndef HEDDLE_EXPLORE_ESTIMATE_H
#define HEDDLE_EXPLORE_ESTIMATE_H

#include <time.h>

#include "base/forecast.h"
#include "explore/exploration.h"

/* Estimates the work that a strategy has left between two executions, by running about the given
 * number of executions, which together take not much more than the given processor time. If that
 * was too little the result is unknown, but for `low`: what the first probe expects at least.
 * Errors in these executions are not reported: the exploration finds them later. */
forecast estimate_left(exploration *, strategy *, uint64_t executions, clock_t time);

#endif
