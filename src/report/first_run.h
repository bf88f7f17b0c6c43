/* Steps of a run that was made before the exploration, to compare it with others (uninitialised
 * memory): since then more may be known about what a step is, and threads took turns at random. */
#ifndef HEDDLE_REPORT_FIRST_RUN_H
#define HEDDLE_REPORT_FIRST_RUN_H

#include "report/trace.h"

/* Keeps only the steps that come before the last one, with as few thread switches as possible.
 * Plain accesses are steps. A step that is no longer possible is left out: a round of a spin loop,
 * where the thread now waits. */
void first_run_adapt(target *, step_list *);

#endif
