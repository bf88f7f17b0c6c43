/* How many executions are left, by sampling.
 *
 * Pieces of work form a tree: an execution leaves pieces, each of which is an execution that leaves
 * more. Knuth (Mathematics of Computation 29, 1975) estimates the size of a tree by walking down at
 * random, weighing each node by the number of its siblings; Chen (SIAM Journal on Computing 21,
 * 1992) walks down several paths at once: nodes of one level that are alike form a stratum, of
 * which one is taken, with the weight of all. Alike are pieces with a similar number of given steps
 * that come at the same place among the pieces of one execution. A probe is right on average,
 * whatever "alike" means; how much probes differ says how far their mean can be trusted. */
#ifndef HEDDLE_EXPLORE_ESTIMATE_H
#define HEDDLE_EXPLORE_ESTIMATE_H

#include <time.h>

#include "base/forecast.h"
#include "explore/exploration.h"

/* Of the work of a strategy that is between two executions, from about so many executions, which
 * together take not much more than that time of the processor: not known if that was too little.
 * Errors in them are not reported: they are found again in their turn. */
forecast estimate_left(exploration *, strategy *, uint64_t executions, clock_t time);

#endif
