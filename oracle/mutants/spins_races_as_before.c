/* Steps that wait in spin loops race like any others. */
#define MUTANT(name) spins_races_as_before_##name
#include "oracle/mutants/spins.h"

static void refresh_enabled(interpreter *m, uint32_t t) {
    refresh(m, t);
    operation *op = &m->threads[t].operation;
    if (op->flags & OPERATION_SPINS) {
        op->flags &= OPERATION_ENABLED | OPERATION_PASSING;
    }
}

const spin_rule mutant_spins_races_as_before = {
    .note_step = note_step, .refresh = refresh_enabled, .opens = opens, .judge = judge};
