/* All executions with a bounded number of preemptions. */
#ifndef HEDDLE_DPOR_BOUNDED_H
#define HEDDLE_DPOR_BOUNDED_H

#include "explore/strategy.h"

extern const strategy_class strategy_bounded;

#endif
