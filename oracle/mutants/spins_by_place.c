/* Local states are the same if the thread stands at the same place. */
#define MUTANT(name) spins_by_place_##name
#include "oracle/mutants/spins.h"

static bool was_at_this_place(interpreter *m, uint32_t t) {
    for (uint32_t i = 0; i < m->threads[t].spin_count; i++) {
        if (record_at(m, t, i)[0] == (int64_t)m->threads[t].pc) {
            return true;
        }
    }
    return false;
}

static void refresh_by_place(interpreter *m, uint32_t t) {
    refresh(m, t);
    if (is_candidate(m, t)) {
        save(m, t);
        bool closes = try_step(m, t) && was_at_this_place(m, t);
        restore(m, t);
        if (closes) {
            learn(m, &m->threads[t]);
            m->threads[t].operation.flags |= OPERATION_VARIES | OPERATION_BLOCKS;
            model_set_enabled(&m->threads[t].operation, false);
        }
    }
}

const spin_rule mutant_spins_by_place = {
    .note_step = note_step, .refresh = refresh_by_place, .opens = opens, .judge = judge};
