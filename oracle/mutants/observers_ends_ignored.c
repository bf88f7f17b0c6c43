/* A sequence that ends with a watched step, or with an observation owed, is not redundant. */
#define MUTANT(name) observers_ends_ignored_##name
#include "oracle/mutants/observers.h"

BROKEN bool finds_while_passing(watch *w, const step_sequence *steps) {
    for (uint32_t i = 0; i < steps->count; i++) {
        if (watch_pass(w, vector_at(steps, i).thread, vector_at(steps, i).choice,
                       vector_at(steps, i).footprint)) {
            return true;
        }
    }
    return false;
}

#define watch_covers       finds_while_passing
#define strategy_observers mutant_observers_ends_ignored
#include "dpor/observers/observed_races.c"
#include "dpor/observers/observed_search.c"
#include "dpor/observers/observers.c"
