/* What is reported about a process that did not finish its work: what happened, in which phase and
 * place, and what that means for the verdict.
 *
 * | what                                          | verdict     | status |
 * |-----------------------------------------------|-------------|--------| | the program ended the
 * process, or a thread of it crashed it past heddle's handlers | unsupported | 2 | | it was killed
 * by SIGKILL (perhaps for lack of memory); a constructor does not end  | incomplete  | 3 | | it
 * crashed, hung or sent nonsense in heddle's own code | error       | 70 |
 * */
#ifndef HEDDLE_CLI_DEATH_H
#define HEDDLE_CLI_DEATH_H

#include "report/outcome.h"
#include "supervise/supervisor.h"

/* `place` is "in T1, after the operation at f.c:3", or "" if heddle itself ran or that is unknown.
 */
void death_explain(const child_report *, const char *place, outcome *);

#endif
