/* The report for people: every error with its counterexample, then what was covered. */
#ifndef HEDDLE_REPORT_WRITERS_TEXT_REPORT_H
#define HEDDLE_REPORT_WRITERS_TEXT_REPORT_H

#include <stdio.h>

#include "report/outcome.h"
#include "report/writers/source.h"
#include "report/writers/style.h"

/* What went wrong, and where, in one line. */
void text_report_headline(const finding *, const style *, FILE *out);

/* What went wrong: headline, table and, for a deadlock, the explanation. Only the table if nothing
 * went wrong. */
void text_report_finding(const finding *, source *, const style *, FILE *out);

/* What the report says on top of the verdict. */
void text_report_warnings(const outcome *, const style *, FILE *);

void text_report_summary(const outcome *, const style *, FILE *out);

/* All findings and, if wanted, the summary, without colours. The caller frees it. */
char *text_report_plain(const outcome *, bool with_summary);

#endif
