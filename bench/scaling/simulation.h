/* What a team of many workers would take for an exploration whose tree is known.
 *
 * The workers do what those of cli/team.h do: each takes its latest item next; one that has none is
 * given the oldest of another's, or half of them where they are small, which the supervisor has
 * asked for it; who has fewer than two is left alone for a while. The supervisor does one thing at
 * a time. */
#ifndef HEDDLE_BENCH_SCALING_SIMULATION_H
#define HEDDLE_BENCH_SCALING_SIMULATION_H

#include "bench/scaling/item_tree.h"

/* All in seconds. */
typedef struct costs {
    double step;                  /* of the program, with all that it takes to explore */
    double item;                  /* to make bytes of an item, and an item of those */
    double message;               /* from the supervisor to a worker, or back */
    double handle, handle_more;   /* a message by the supervisor, and that for each worker */
    double poor_least, poor_most; /* before somebody who has nothing to give is asked again */
} costs;

typedef struct simulated {
    double seconds;    /* from the first execution to the end of the last */
    uint64_t given;    /* times that work was given to somebody */
    double supervisor; /* seconds that the supervisor was busy */
} simulated;

simulated simulate(const item_tree *, const costs *, uint32_t workers);

#endif
