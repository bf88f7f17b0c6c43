/* One exploration as the settings want it, from a target to an outcome. */
#ifndef HEDDLE_CLI_RUN_H
#define HEDDLE_CLI_RUN_H

#include "base/settings.h"
#include "cli/load.h"
#include "cli/member.h"
#include "explore/strategy.h"
#include "report/outcome.h"

/* Who hears of errors at once, in case that there is no time left later: of each finding, bare, and
 * that all of them are void because the exploration starts over. */
typedef struct run_listener {
    void (*found)(void *context, const finding *);
    void (*forget)(void *context);
    void *context;
} run_listener;

/* The outcome holds the findings that the reports want. The listener and the member may be NULL; a
 * member that is not to report has warnings only. */
void run_exploration(const settings *, const strategy_class *, loaded *, const run_listener *,
                     member *, outcome *);

/* What the user should know of what this process has run so far. */
void run_note(loaded *, tally *);

/* And those that the exploration was ended by. */
void run_note_stops(tally *);

/* Where an execution was cut short, and what may be done about it. */
void run_describe_cut(const exploration *, text *out);

#endif
