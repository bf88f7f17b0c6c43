/* Which algorithms there are, and which one runs if none is named. */
#ifndef HEDDLE_CLI_ALGORITHM_H
#define HEDDLE_CLI_ALGORITHM_H

#include "base/settings.h"
#include "base/text.h"
#include "explore/strategy.h"

const strategy_class *algorithm_default(void);

/* The one that explores all interleavings, for programs that no reduction can treat. */
const strategy_class *algorithm_exhaustive(void);

/* The wanted one, or the first one that it falls back to which covers every trace and does not ask
 * who reads a write: where spin loops of C programs wait, the others ask too much of the target. */
const strategy_class *algorithm_of_traces(const strategy_class *wanted);

/* The one that the settings name; NULL: there is none, and `message` says so. */
const strategy_class *algorithm_wanted(const settings *, text *message);

#endif
