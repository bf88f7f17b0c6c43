/* What races is reported and stays in passing. */
#define MUTANT(name) races_not_promoted_##name
#include "oracle/mutants/races.h"

static void access_unpromoted(interpreter *m, uint32_t t) {
    access_plainly(m, t);
    memcpy(m->wanted, m->promoted, m->location_count);
    m->promotions = 0;
}

const race_detector mutant_races_not_promoted =
    RACES_WITH(release, access_unpromoted, access_atomically);
