/* Which write a step has read, under a weak memory model: the choices of the steps so far tell
 * (explore/target.h, keep_versions). */
#ifndef HEDDLE_REPORT_TRACE_SOURCE_H
#define HEDDLE_REPORT_TRACE_SOURCE_H

#include "report/trace.h"

/* The first step whose write is newer than what step number `index` has read; UINT32_MAX if it has
 * read the latest, or nothing. */
uint32_t trace_newer_write(const trace *, uint32_t index);

#endif
