/* Steps of a run that was made before the exploration, to compare it with others (uninitialised
 * memory): what a step is may be known better since then, and threads took turns at random. */
#ifndef HEDDLE_REPORT_FIRST_RUN_H
#define HEDDLE_REPORT_FIRST_RUN_H

#include "report/trace.h"

/* Of the steps those stay that come before the last one, with as few switches between threads as
 * there can be. Plain accesses are steps. A step that is no longer possible is left out: a round of
 * a spin loop, where the thread waits since then. */
void first_run_adapt(target *, step_list *);

#endif
