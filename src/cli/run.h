/* One exploration as the settings want it, from a target to an outcome. */
#ifndef HEDDLE_CLI_RUN_H
#define HEDDLE_CLI_RUN_H

#include "base/settings.h"
#include "cli/load.h"
#include "explore/strategy.h"
#include "report/outcome.h"

/* Who hears of errors at once, in case that there is no time left later: of each finding, bare, and
 * that all of them are void because the exploration starts over. */
typedef struct run_listener {
    void (*found)(void *context, const finding *);
    void (*forget)(void *context);
    void *context;
} run_listener;

/* The outcome holds the findings that the reports want. The listener may be NULL. */
void run_exploration(const settings *, const strategy_class *, loaded *, const run_listener *,
                     outcome *);

#endif
