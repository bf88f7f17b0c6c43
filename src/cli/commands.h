/* The commands of heddle. Each returns the exit status of the process. */
#ifndef HEDDLE_CLI_COMMANDS_H
#define HEDDLE_CLI_COMMANDS_H

#include "cli/options.h"
#include "explore/strategy.h"

int command_check(const settings *);
int command_replay(const settings *);
int command_explain(const settings *);
int command_split(const settings *);
int command_merge(const settings *);

/* What gdb runs (debuggee.c); its options are those of replay. */
int command_debuggee(const settings *);

/* check --batch=FILE */
int check_batch(const settings *, const strategy_class *);

#endif
