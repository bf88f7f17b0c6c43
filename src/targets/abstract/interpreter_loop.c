/* Loops without an operation. Whether one ends cannot be decided, but a thread that comes back to a
 * state in which it was before does the same forever: that is an error of the program. A loop that
 * only takes long is not, and neither is it known that it ends: the verdict is then "incomplete".
 *
 * The state of a power of two is kept until the next one (Brent), so that a cycle of any length is
 * found within three times the steps to it and around it. */
#include "targets/abstract/interpreter_state.h"

#include <string.h>

static void keep(interpreter *m, uint32_t t, bool section) {
    kept_state *k = &m->kept;
    uint32_t registers = vector_at(&m->program->threads, t).register_count;
    k->pc = m->threads[t].pc;
    k->path_used = m->path_used;
    vector_resize(&k->registers, registers);
    memcpy(k->registers.items, model_registers(m, t), registers * sizeof(int64_t));
    vector_resize(&k->cells, section ? m->program->cells.count : 0);
    memcpy(k->cells.items, m->cells, k->cells.count * sizeof(int64_t));
}

/* Choices were made since if more of the path is used: the next time may be another. */
static bool is_kept(interpreter *m, uint32_t t) {
    const kept_state *k = &m->kept;
    return k->pc == m->threads[t].pc && k->path_used == m->path_used &&
           memcmp(k->registers.items, model_registers(m, t),
                  k->registers.count * sizeof(int64_t)) == 0 &&
           memcmp(k->cells.items, m->cells, k->cells.count * sizeof(int64_t)) == 0;
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
            section ? "endless loop in an atomic section" : "endless loop without an operation");
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
