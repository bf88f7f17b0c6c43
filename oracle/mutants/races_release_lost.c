/* An unlock does not pass on what its thread knows. */
#define MUTANT(name) races_release_lost_##name
#include "oracle/mutants/races.h"

static void release_nothing(interpreter *m, uint32_t t, uint32_t cell) {
    (void)cell;
    clock_of(m, t)[t]++;
}

const race_detector mutant_races_release_lost =
    RACES_WITH(release_nothing, access_plainly, access_atomically);
