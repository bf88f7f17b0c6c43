/* Makes the schedule of an error easier to read: fewer thread switches, and no steps that the error
 * does not need, found by running the program along simpler schedules and keeping those in which
 * the same error occurs.
 *
 * A schedule is a sequence of runs of one thread each. A run is left out, or moved to another run
 * of its thread, and what follows is tried as it was; this repeats until nothing helps or
 * the work that is allowed is done. Then all schedules with fewer switches are searched
 * (report/fewest.h), which is exact for short schedules and too much work for long ones: there the
 * result need not be the simplest one. It is never worse than what was given, and it was run. */
#ifndef HEDDLE_REPORT_SIMPLIFY_H
#define HEDDLE_REPORT_SIMPLIFY_H

#include "report/rerun.h"

/* The steps of the error become simpler, or stay. The rerun's error is this one. */
void simplify(rerun *, found_error *);

#endif
