/* All strategies, by name. Only the command line and the tests look here. */
#ifndef HEDDLE_DPOR_REGISTRY_H
#define HEDDLE_DPOR_REGISTRY_H

#include "explore/strategy.h"

/* The first one is the default; ends with NULL. */
extern const strategy_class *const strategy_registry[];

/* NULL if there is none of that name. */
const strategy_class *strategy_find(const char *name);

#endif
