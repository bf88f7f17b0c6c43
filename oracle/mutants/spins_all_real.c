/* A thread that waits in a spin loop is assumed to repeat it forever. */
#define MUTANT(name) spins_all_real_##name
#include "oracle/mutants/spins.h"

static enum target_ending judge_nothing(interpreter *m) {
    enum target_ending ending = judge(m);
    return ending == ENDING_ARTIFACT ? ENDING_LIVELOCK : ending;
}

const spin_rule mutant_spins_all_real = {
    .note_step = note_step, .refresh = refresh, .opens = opens, .judge = judge_nothing};
