/* What is reported about a process that did not finish its work: what happened, in which phase and
 * place, and what that means for the verdict:
 *
 * - The program ended the process, or a thread of it crashed it past heddle's handlers:
 *   unsupported, exit status 2.
 * - It was killed by SIGKILL (perhaps for lack of memory), or a constructor does not end:
 *   incomplete, exit status 3.
 * - It crashed, hung or sent nonsense in heddle's own code: error, exit status 70. */
#ifndef HEDDLE_CLI_DEATH_H
#define HEDDLE_CLI_DEATH_H

#include "report/outcome.h"
#include "supervise/supervisor.h"

/* `place` is "in T1, after the operation at f.c:3", or "" if heddle itself ran or that is unknown.
 */
void death_explain(const child_report *, const char *place, outcome *);

#endif
