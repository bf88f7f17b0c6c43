/* Whether an error can still be avoided after some steps of its schedule, where reads need not
 * return what was written last: whether an execution graph without such an error begins with these
 * steps. What they read stays, and so does the order of their writes; later writes may come before
 * these in that order. */
#ifndef HEDDLE_REPORT_CONTINUATIONS_H
#define HEDDLE_REPORT_CONTINUATIONS_H

#include "report/rerun.h"

enum answer { ANSWER_DOOMED, ANSWER_AVOIDABLE, ANSWER_UNKNOWN };

/* All graphs that begin with the steps are explored, up to the rerun's budget. */
enum answer continuations_ask(rerun *, const step *steps, uint32_t count);

#endif
