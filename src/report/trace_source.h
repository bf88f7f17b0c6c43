/* Which write a step has read, under a weak memory model: it follows from the choices of the
 * steps so far (explore/target.h, keep_versions). */
#ifndef HEDDLE_REPORT_TRACE_SOURCE_H
#define HEDDLE_REPORT_TRACE_SOURCE_H

#include "report/trace.h"

/* The first step whose write is newer than what step number `index` has read; UINT32_MAX if it has
 * read the latest, or nothing. */
uint32_t trace_newer_write(const trace *, uint32_t index);

/* A step with a version has written; a compare-and-swap has if it succeeded. */
bool trace_step_writes(const trace_step *);

/* The step has a relevant memory order; it has another one when it fails. */
bool trace_order(const trace *, uint32_t index, enum access_order *);

/* "T2 reads the initial value of x in step 5 (relaxed), although T1 overwrote it in step 3
 * (relaxed)", if the step has not read the latest write; else nothing. */
void trace_describe_source(const trace *, uint32_t index, text *out);

#endif
