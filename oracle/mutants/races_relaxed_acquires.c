/* Where versions are kept, a relaxed read acquires. */
#define MUTANT(name) races_relaxed_acquires_##name
#include "oracle/mutants/races.h"

static uint32_t access_acquiring(interpreter *m, uint32_t t, const versioned_access *a) {
    versioned_access changed = *a;
    bool relaxed = a->reads && !a->writes && a->order == ORDER_RELAXED;
    changed.order = relaxed ? ORDER_ACQUIRE : a->order;
    return access_version(m, t, &changed);
}

const race_detector mutant_races_relaxed_acquires = {.start = start_thread,
                                                     .spawn = spawn_thread,
                                                     .join = join_thread,
                                                     .acquire = acquire,
                                                     .release = release,
                                                     .plain = access_plainly,
                                                     .atomic = access_atomically,
                                                     .version = access_acquiring,
                                                     .fence = fence};
