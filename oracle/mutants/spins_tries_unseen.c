/* A mutex that others try to lock is taken and given back in void rounds. */
#define MUTANT(name) spins_tries_unseen_##name
#include "oracle/mutants/spins.h"

static void refresh_untried(interpreter *m, uint32_t t) {
    memset(m->tried, 0, m->program->cells.count);
    refresh(m, t);
}

const spin_rule mutant_spins_tries_unseen = {
    .note_step = note_step, .refresh = refresh_untried, .judge = judge};
