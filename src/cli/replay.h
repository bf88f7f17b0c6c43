/* Following a schedule: what the program does now, and where that is not what was recorded. */
#ifndef HEDDLE_CLI_REPLAY_H
#define HEDDLE_CLI_REPLAY_H

#include "cli/load.h"
#include "report/finding.h"
#include "report/writers/schedule.h"

/* Before the first step: threads and what is shared are those of the schedule. */
bool replay_expect(const schedule *, loaded *, text *why);

/* `why` stays empty if all went as recorded. */
void replay_follow(const schedule *, loaded *, finding *, text *why);

#endif
