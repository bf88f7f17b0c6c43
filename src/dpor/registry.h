/* All strategies, by name. Used only by the command line and the tests. */
#ifndef HEDDLE_DPOR_REGISTRY_H
#define HEDDLE_DPOR_REGISTRY_H

#include "explore/strategy.h"

/* The first one is the default; ends with NULL. */
extern const strategy_class *const strategy_registry[];

/* NULL if there is no strategy of that name. */
const strategy_class *strategy_find(const char *name);

#endif
