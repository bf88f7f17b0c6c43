/* A thread sleeps as soon as one of its alternatives does. */
#define MUTANT(name) source_sleeps_with_all_choices_##name
#include "oracle/mutants/backtracking.h"

BROKEN bool contains_thread(const sleep_stack *s, uint32_t length, uint32_t thread,
                            uint32_t choice) {
    (void)choice;
    for (const sleeper *i = sleep_begin(s, length); i < sleep_end(s, length); i++) {
        if (i->thread == thread) {
            return true;
        }
    }
    return false;
}

#define sleep_contains contains_thread
#include "dpor/backtracking.c"
#define strategy_source mutant_source_sleeps_with_all_choices
#include "dpor/source.c"
