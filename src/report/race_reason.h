/* Why two accesses of a data race are not ordered, read off the finding: which locks each thread
 * held, and that nothing else leads from one to the other. */
#ifndef HEDDLE_REPORT_RACE_REASON_H
#define HEDDLE_REPORT_RACE_REASON_H

#include "report/finding.h"

/* Appends the names of the locks that the thread holds right after the step, separated by ", ";
 * nothing if it holds none. */
void locks_held(const finding *, uint32_t thread, uint32_t step, text *out);

/* Appends a sentence about the accesses that `relations` of the finding name. */
void race_reason(const finding *, text *out);

#endif
