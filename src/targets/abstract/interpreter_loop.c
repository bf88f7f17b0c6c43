/* Loops without an operation. Whether one ends cannot be decided, but a thread that comes back to a
 * state in which it was before does the same forever: that is an error of the program. A loop that
 * only takes long is not, and neither is it known that it ends: the verdict is then "incomplete".
 *
 * The state of a power of two is kept until the next one (Brent), so that a cycle of any length is
 * found within three times the steps to it and around it. */
#include "targets/abstract/interpreter_state.h"

#include <string.h>

static void keep_values(kept_values *to, const int64_t *values, uint32_t count) {
    vector_clear(to);
    for (uint32_t i = 0; i < count; i++) {
        vector_push(to, values[i]);
    }
}

static void keep(interpreter *m, uint32_t t, bool section) {
    kept_state *k = &m->kept;
    k->pc = m->threads[t].pc;
    k->path_used = m->path.used;
    keep_values(&k->registers, model_registers(m, t),
                vector_at(&m->program->threads, t).register_count);
    keep_values(&k->cells, m->cells, section ? m->program->cells.count : 0);
}

static bool are_kept(const kept_values *kept, const int64_t *values) {
    return !kept->count || memcmp(kept->items, values, kept->count * sizeof(int64_t)) == 0;
}

/* Choices were made since if more of the path is used: the next time may be another. */
static bool is_kept(interpreter *m, uint32_t t) {
    const kept_state *k = &m->kept;
    return k->pc == m->threads[t].pc && k->path_used == m->path.used &&
           are_kept(&k->registers, model_registers(m, t)) && are_kept(&k->cells, m->cells);
}

bool model_is_endless(interpreter *m, uint32_t t, uint32_t n, bool section) {
    if (n < LOOP_FREE_STEPS) {
        return false;
    }
    if ((n & (n - 1)) == 0) {
        keep(m, t, section);
    } else if (is_kept(m, t)) {
        model_fail(
            m, t, ERROR_HANG,
            section ? "infinite loop in an atomic section" : "infinite loop without an operation");
        return true;
    }
    if (n >= LOCAL_STEP_LIMIT) {
        model_fail(m, t, ERROR_UNFINISHED,
                   section ? "more than 10000000 steps in an atomic section"
                           : "more than 10000000 steps without an operation");
        return true;
    }
    return false;
}
