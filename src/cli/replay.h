/* Following a schedule: what the program does now, and where that is not what was recorded. */
#ifndef HEDDLE_CLI_REPLAY_H
#define HEDDLE_CLI_REPLAY_H

#include "cli/load.h"
#include "report/finding.h"
#include "report/trace.h"
#include "report/writers/schedule.h"

/* What the command line says about running the program. */
void replay_adopt(schedule *, const settings *wanted);

/* Before the first step: threads and what is shared are those of the schedule. */
bool replay_expect(const schedule *, loaded *, text *why);

/* What the target learns only when the program runs, in silence: what it prints in the run that
 * follows is then printed once. Not for schedules that take long, as those of endless loops do. */
void replay_learn(const schedule *, loaded *);

/* `why` stays empty if all went as recorded. Whoever watches (NULL: nobody) sees a run again from
 * its beginning if the target learns only now what is shared. */
void replay_follow(const schedule *, loaded *, const trace_watch *, finding *, text *why);

#endif
