/* A step that changes something does not end a round. */
#define MUTANT(name) spins_effects_ignored_##name
#include "oracle/mutants/spins.h"

static void note_read(interpreter *m, uint32_t t, const spin_step *s) {
    spin_step like = *s;
    like.kind = OPERATION_READ;
    note_step(m, t, &like);
}

const spin_rule mutant_spins_effects_ignored = {
    .note_step = note_read, .refresh = refresh, .opens = opens, .judge = judge};
