/* The available algorithms, and the default. */
#ifndef HEDDLE_CLI_ALGORITHM_H
#define HEDDLE_CLI_ALGORITHM_H

#include "base/settings.h"
#include "base/text.h"
#include "explore/strategy.h"

const strategy_class *algorithm_default(void);

/* The one that explores all interleavings, for programs that no reduction can handle. */
const strategy_class *algorithm_exhaustive(void);

/* The given algorithm, or the first fallback of it that covers every trace and does not depend on
 * which step reads a write: for spin loops of C programs, the others need more than the target
 * provides. */
const strategy_class *algorithm_of_traces(const strategy_class *wanted);

/* The algorithm that the settings name; NULL: unknown, with a `message`. */
const strategy_class *algorithm_wanted(const settings *, text *message);

#endif
