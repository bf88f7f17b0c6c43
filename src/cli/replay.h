/* Follows a schedule: what the program does now, and where that differs from what was recorded. */
#ifndef HEDDLE_CLI_REPLAY_H
#define HEDDLE_CLI_REPLAY_H

#include "cli/load.h"
#include "report/finding.h"
#include "report/trace.h"
#include "report/writers/schedule.h"

/* What the command line says about running the program. */
void replay_adopt(schedule *, const settings *wanted);

/* Before the first step: numbers threads, and marks memory as shared, as in the schedule. */
bool replay_expect(const schedule *, loaded *, text *why);

/* The schedule ended every process that explored it. */
bool replay_ended_others(const schedule *);

/* Runs the schedule without output, so that the target learns what is shared: the output of the run
 * that follows is then printed once. Not done for schedules that take long, as those of endless
 * loops do. */
void replay_learn(const schedule *, loaded *);

/* `why` stays empty if everything went as recorded. An observer (or NULL) sees a run again from its
 * beginning if the target learns only now what is shared. */
void replay_follow(const schedule *, loaded *, const trace_watch *, finding *, text *why);

#endif
