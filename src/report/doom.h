/* The step of a schedule after which the error can no longer be avoided: whatever the threads do
 * from there on, every execution has an error of that kind. That is the place to look for the
 * cause, which is often long before the step that fails.
 *
 * A prefix is doomed if all its continuations have such an error; every extension of a doomed
 * prefix is doomed, so the first one is found by bisection. All continuations of a prefix are run,
 * except those that differ only in the order of independent steps (sleep sets: Godefroid 1996), up
 * to a bound on the work; if that is not enough, there is no answer. Rejected: a strategy of the
 * explorer on the rest of the execution, whose causes and numbers all start at the first step. */
#ifndef HEDDLE_REPORT_DOOM_H
#define HEDDLE_REPORT_DOOM_H

#include "report/rerun.h"

/* The number of steps of the error's schedule after which it cannot be avoided; 0 if every schedule
 * of the program fails; FINDING_NO_STEP. */
uint32_t doom_find(rerun *, const found_error *);

#endif
