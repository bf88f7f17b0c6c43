/* One exploration as the settings want it, from a target to an outcome. */
#ifndef HEDDLE_CLI_RUN_H
#define HEDDLE_CLI_RUN_H

#include "base/settings.h"
#include "cli/load.h"
#include "explore/strategy.h"
#include "report/outcome.h"

/* The outcome holds the findings that the reports want. */
void run_exploration(const settings *, const strategy_class *, loaded *, outcome *);

#endif
