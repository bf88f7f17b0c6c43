/* From a trace, which belongs to a target, to a finding, which belongs to nobody. */
#ifndef HEDDLE_REPORT_FINDING_TRACE_H
#define HEDDLE_REPORT_FINDING_TRACE_H

#include "report/finding.h"
#include "report/trace.h"

/* The target must stand where the trace has left it. If the trace shows no error, it is about
 * `expected`, unless that is NULL. */
void finding_of_trace(finding *, const trace *, const trace_error *expected);

/* What is known of an error at the moment that it occurs, without running the target: a finding
 * whose steps are bare. */
void finding_of_steps(finding *, target *, const trace_error *, const step *steps, uint32_t count);

#endif
