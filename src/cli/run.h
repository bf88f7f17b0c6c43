/* One exploration according to the settings, from a target to an outcome. */
#ifndef HEDDLE_CLI_RUN_H
#define HEDDLE_CLI_RUN_H

#include "base/settings.h"
#include "cli/load.h"
#include "cli/member.h"
#include "explore/strategy.h"
#include "report/outcome.h"

/* Is notified of errors immediately, in case there is no time later: of each bare finding, and that
 * all of them are void because the exploration starts over. */
typedef struct run_listener {
    void (*found)(void *context, const finding *);
    void (*forget)(void *context);
    void *context;
} run_listener;

/* The outcome has the findings that the reports need. The listener and the member may be NULL; a
 * member that does not report only has warnings. */
void run_exploration(const settings *, const strategy_class *, loaded *, const run_listener *,
                     member *, outcome *);

/* Adds the warnings and notes about the executions of this process so far. */
void run_note(loaded *, tally *);

/* Adds the limits that ended the exploration. */
void run_note_stops(tally *);

/* Where an execution was cut short, and what may be done about it. */
void run_describe_cut(const exploration *, text *out);

#endif
