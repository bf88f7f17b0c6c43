/* Which algorithms there are, and which one runs if none is named. */
#ifndef HEDDLE_CLI_ALGORITHM_H
#define HEDDLE_CLI_ALGORITHM_H

#include "base/settings.h"
#include "base/text.h"
#include "explore/strategy.h"

const strategy_class *algorithm_default(void);

/* "classic, source, optimal": all names. */
void algorithm_names(text *out);

/* The one that the settings name; NULL: there is none, and `message` says so. */
const strategy_class *algorithm_wanted(const settings *, text *message);

#endif
