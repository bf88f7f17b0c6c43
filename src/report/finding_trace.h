/* Makes a finding, which is self-contained, from a trace, which belongs to a target. */
#ifndef HEDDLE_REPORT_FINDING_TRACE_H
#define HEDDLE_REPORT_FINDING_TRACE_H

#include "report/finding.h"
#include "report/trace.h"

/* The target must be where the trace has left it. If the trace has no error, the finding is about
 * `expected`, unless that is NULL. */
void finding_of_trace(finding *, const trace *, const trace_error *expected);

/* The same before the last step, which has the error. */
void finding_before_step(finding *, const trace *, step next, const trace_error *);

/* What is known about an error when it occurs, without running the target: a bare finding. */
void finding_of_steps(finding *, target *, const trace_error *, const step *steps, uint32_t count);

#endif
