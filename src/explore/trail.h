/* The steps that the target has taken since it was last reset, in memory that outlives the process
 * (base/witness.h): in which execution a process has died, and after which of its steps.
 *
 * The functions of the target's class that move it are replaced by ones that record the steps and
 * call the original. So everything is recorded that runs the target (explorations, looks ahead,
 * probes), and a process that does not record pays nothing. Rejected: recording in the explorer,
 * which would cost a test at every step and miss the steps of others. */
#ifndef HEDDLE_EXPLORE_TRAIL_H
#define HEDDLE_EXPLORE_TRAIL_H

#include <stdbool.h>

#include "base/witness.h"
#include "explore/step.h"
#include "explore/target.h"

enum { TRAIL_MOST = 1 << 16 }; /* steps that are recorded, the first ones of an execution */

typedef struct trail {
    uint64_t count; /* steps since the reset; the last one may be unfinished */
    bool known;     /* all steps since the reset are counted */
    step steps[TRAIL_MOST];
} __attribute__((aligned(WITNESS_PAGE))) trail;

/* From the next reset of the target on; there is one in a process. */
void trail_begin(target *);
void trail_end(target *);

/* Of a process that shares its witness. */
const trail *trail_of(const void *witness);

#endif
