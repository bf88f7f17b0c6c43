/* Atomic accesses do not race with plain ones. */
#define MUTANT(name) races_atomic_passed_over_##name
#include "oracle/mutants/races.h"

static void access_unseen(interpreter *m, uint32_t t) {
    uint32_t failures = m->failures.count;
    access_atomically(m, t);
    m->failures.count = failures;
}

const race_detector mutant_races_atomic_passed_over =
    RACES_WITH(release, access_plainly, access_unseen);
