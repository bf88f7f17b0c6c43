/* Reports an outcome: as text or JSON on standard output, as files, and by the exit status. */
#ifndef HEDDLE_CLI_REPORT_H
#define HEDDLE_CLI_REPORT_H

#include "base/settings.h"
#include "base/text.h"
#include "cli/job.h"
#include "report/outcome.h"

enum { REPORT_MOST_TABLES = 10 }; /* the most distinct errors in the text, without --full */

/* Returns the exit status. */
int report_outcome(const settings *, const outcome *);

/* Runs the job, reports its outcome and frees it. */
int report_job(job *);

/* Writes only the requested files, and the JSON object. False: `message` says which could not be
 * written. */
bool report_write(const settings *, const outcome *, text *message);

/* Reports only a message: wrong usage, or a file that cannot be read or built. */
int report_failure(const settings *, enum verdict, const char *message);

/* Before anything is done: checks that the report files may be written. */
bool report_check_files(const settings *, text *message);

#endif
