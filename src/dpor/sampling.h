/* Executions at random, for programs of which all cannot be explored. */
#ifndef HEDDLE_DPOR_SAMPLING_H
#define HEDDLE_DPOR_SAMPLING_H

#include "explore/strategy.h"

extern const strategy_class strategy_sampling;

/* How many are tried if nobody says otherwise. */
#define SAMPLING_MOST_EXECUTIONS 1000000

#endif
