/* A sequence that ends with a watched step, or with an observation owed, is not redundant. */
#include "oracle/mutants/observers.h"

#define watch_left(w)              ((void)(w), false)
#define strategy_observers         mutant_observers_ends_ignored
#define strategy_context_observers mutant_context_observers_ends_ignored
#include "strategies/observers.c"
