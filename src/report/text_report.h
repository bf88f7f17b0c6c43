/* The report for people: every error with its counterexample, then what was covered. */
#ifndef HEDDLE_REPORT_TEXT_REPORT_H
#define HEDDLE_REPORT_TEXT_REPORT_H

#include <stdio.h>

#include "report/outcome.h"
#include "report/source.h"
#include "report/style.h"
#include "report/trace.h"

/* What went wrong at the end of the trace: headline, table and, for a deadlock, the explanation.
 * Nothing but the table if nothing did. */
void text_report_trace(const trace *, source *, const style *, FILE *out);

/* The message of the error that the trace ends with, in one line; nothing if there is none. */
void trace_message(const trace *, text *out);

void text_report_error(const found_error *, target *, source *, const style *, FILE *out);

void text_report_summary(const outcome *, const style *, FILE *out);

#endif
