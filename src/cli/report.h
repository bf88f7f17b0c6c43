/* What becomes of an outcome: the text or the JSON object on standard output, the JSON file, the
 * schedule file, and the exit status. */
#ifndef HEDDLE_CLI_REPORT_H
#define HEDDLE_CLI_REPORT_H

#include "base/settings.h"
#include "base/text.h"
#include "cli/job.h"
#include "report/outcome.h"

enum { REPORT_MOST_TABLES = 10 }; /* of distinct errors in the text, unless --full */

/* Returns the exit status. */
int report_outcome(const settings *, const outcome *);

/* Runs the job, reports its outcome and frees it. */
int report_job(job *);

/* Only the files that are wanted, and the JSON object. False: `message` says which could not be
 * written. */
bool report_write(const settings *, const outcome *, text *message);

/* There is nothing but a message: of wrong usage, of a file that cannot be read or built. */
int report_failure(const settings *, enum verdict, const char *message);

/* Before anything is done: whether the files that the reports go to may be written. */
bool report_check_files(const settings *, text *message);

#endif
