/* Makes the schedule of an error easier to read: fewer thread switches, and no steps that the error
 * does not need, found by running the program along simpler schedules and keeping those in which
 * the same error occurs.
 *
 * A schedule is a sequence of runs of one thread each. A run is left out, or moved to another run
 * of its thread, and what follows is left unchanged; this repeats until nothing helps or the work
 * allowed has been done. Then all schedules with fewer switches are searched (report/fewest.h),
 * which is exact for short schedules and too much work for long ones: for those the result may not
 * be the simplest. It is never worse than the given schedule, and was run. */
#ifndef HEDDLE_REPORT_SIMPLIFY_H
#define HEDDLE_REPORT_SIMPLIFY_H

#include "report/rerun.h"

/* Simplifies the steps of the error if possible. It must be the rerun's error. */
void simplify(rerun *, found_error *);

#endif
