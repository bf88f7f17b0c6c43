/* What a replay reports: the text, and the same files and JSON object as a check. Only its own
 * execution is in them, so that a replay without an error is never "verified". */
#ifndef HEDDLE_CLI_REPLAY_REPORT_H
#define HEDDLE_CLI_REPLAY_REPORT_H

#include "base/settings.h"
#include "base/text.h"
#include "cli/job.h"

/* Copies the options about reports from the command line to the settings of the schedule. File
 * names become absolute, because a replay changes to the directory of the schedule; `paths` owns
 * them. */
void replay_report_settings(settings *of_schedule, const settings *wanted, text_list *paths);

/* Reports a replay that has a finding, whether it went as recorded or not. Returns the exit
 * status. */
int replay_report(const settings *of_schedule, job *);

#endif
