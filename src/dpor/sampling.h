/* Executions at random, for programs that are too large to explore completely. */
#ifndef HEDDLE_DPOR_SAMPLING_H
#define HEDDLE_DPOR_SAMPLING_H

#include "explore/strategy.h"

extern const strategy_class strategy_sampling;

/* The default number of executions. */
#define SAMPLING_MOST_EXECUTIONS 1000000

#endif
