/* Of the reads of a cell only the latest is kept, of whichever thread. */
#define MUTANT(name) races_one_reader_##name
#include "oracle/mutants/races.h"

static void keep_one_reader(interpreter *m, uint32_t t) {
    for (uint32_t i = 0; i < m->touched.count; i++) {
        race_entry *entries = entries_of(m, vector_at(&m->touched, i).object);
        bool reads = !(vector_at(&m->touched, i).mode & ACCESS_WRITE);
        for (uint32_t at = 0; reads && at + 1 < m->location_count; at++) {
            entries[at].time = entries[at].kind == PLAIN_READ ? 0 : entries[at].time;
        }
    }
    access_plainly(m, t);
}

const race_detector mutant_races_one_reader =
    RACES_WITH(release, keep_one_reader, access_atomically);
