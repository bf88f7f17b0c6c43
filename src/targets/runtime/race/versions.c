/* What acquiring reads synchronise with, by version (kernel/versions.h): the atomic object has that
 * of one version at a time. Release sequences are those of C++20, as in execution graphs: a store
 * never continues with one. */
#include "targets/runtime/race/clocks.h"
#include "targets/runtime/race/shadow.h"

static void put_version(atomic_cell *c, const race_version *v, bool writes) {
    c->releaser = 0;
    c->released = v->released;
    c->clock = v->clock;
    if (writes) { /* what it writes is another version's */
        c->clock = race_new_row();
        if (v->released) {
            race_copy_row(c->clock, v->clock);
        }
    }
}

/* Objects of two granules have a cell in each, which hold the same. */
void race_put_version(footprint f, const race_version *v, bool writes) {
    if (likely(!footprint_is_set(f) && runtime.races)) {
        put_version(race_cell_of(race_single_access(f)), v, writes);
        return;
    }
    for (uint32_t i = 0; runtime.races && i < footprint_count(f); i++) {
        put_version(race_cell_of(footprint_access(f, i)), v, writes);
    }
}

void race_take_version(footprint f, race_version *v) {
    if (runtime.races) {
        const atomic_cell *c = race_cell_of(footprint_access(f, 0));
        *v = (race_version){.clock = c->clock, .released = c->released};
    }
}
