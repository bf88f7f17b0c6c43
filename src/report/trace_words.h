/* The words for a step of a trace. They are found when it is taken: a local has a name only while
 * its function runs, and a heap block until it is freed and allocated again. */
#ifndef HEDDLE_REPORT_TRACE_WORDS_H
#define HEDDLE_REPORT_TRACE_WORDS_H

#include "report/trace.h"

/* For trace_take: right before the step, and after it is one of the trace's. */
void trace_words_before(trace *, trace_step *);
void trace_words_after(trace *, uint32_t index);

#endif
