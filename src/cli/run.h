/* One exploration as the options want it, from a target to an outcome. */
#ifndef HEDDLE_CLI_RUN_H
#define HEDDLE_CLI_RUN_H

#include "cli/load.h"
#include "cli/options.h"
#include "explore/strategy.h"
#include "report/collector.h"
#include "report/outcome.h"

/* The outcome points to the collector. */
void run_exploration(const options *, const strategy_class *, loaded *, collector *, outcome *);

#endif
