/* Looks for a schedule that shows an error with as few thread switches as possible: all schedules
 * with 0, 1, 2, … switches are run, within a bound on the work. A thread runs until it is blocked,
 * or until one of the switches is used; so with few switches few schedules are possible. A schedule
 * that becomes much longer than the given one is abandoned: it would not be simpler to read, and a
 * thread that tries again and again while it counts its failures would use up all of the work. The
 * alternatives of operations (which thread a signal wakes, what was chosen) stay as they were. */
#ifndef HEDDLE_REPORT_FEWEST_H
#define HEDDLE_REPORT_FEWEST_H

#include "report/rerun.h"

/* A schedule with at most `most` switches and no other errors than `tolerated`, the simplest one;
 * false if none was found. `given` shows the error. */
bool fewest_find(rerun *, const step_list *given, uint32_t most, uint32_t tolerated,
                 step_list *found);

/* The number of thread switches. */
uint32_t fewest_count(const step_list *);

#endif
