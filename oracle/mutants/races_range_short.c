/* Of a range only the first cell is announced. */
#define MUTANT(name) races_range_short_##name
#include "oracle/mutants/races.h"

static void announce_first(interpreter *m, uint32_t t) {
    m->touched.count = m->touched.count ? 1 : 0;
    access_plainly(m, t);
}

const race_detector mutant_races_range_short =
    RACES_WITH(release, announce_first, access_atomically);
