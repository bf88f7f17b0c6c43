/* Looks for a schedule that shows an error with as few thread switches as there can be: all
 * schedules with 0 switches, with 1, 2, … are run, as far as the work allowed goes. A thread runs
 * on until it cannot, or until one of the switches is spent; so with few switches few schedules
 * are possible. What the alternatives of operations were (whom a signal wakes, what was chosen)
 * stays as it was. */
#ifndef HEDDLE_REPORT_FEWEST_H
#define HEDDLE_REPORT_FEWEST_H

#include "report/rerun.h"

/* A schedule with at most `most` switches and no other errors than `tolerated`, the simplest that
 * there is; false if none was found. `given` shows the error. */
bool fewest_find(rerun *, const step_list *given, uint32_t most, uint32_t tolerated,
                 step_list *found);

/* How often another thread continues. */
uint32_t fewest_count(const step_list *);

#endif
