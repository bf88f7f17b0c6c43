/* Whether two saved states are equivalent. */
#include "targets/abstract/interpreter_state.h"

#include <string.h>

/* What a thread will do follows from its position in the code and the registers that are live
 * there; its cached pending operation does not count. */
static bool same_thread(const interpreter *m, uint32_t t, const char *state, const char *other) {
    size_t threads = (size_t)((char *)m->threads - m->state);
    size_t registers = (size_t)((char *)m->registers - m->state);
    const thread_state *a = (const thread_state *)(state + threads) + t;
    const thread_state *b = (const thread_state *)(other + threads) + t;
    if (a->status != b->status || a->pc != b->pc || a->phase != b->phase ||
        a->condition != b->condition || a->spin_count != b->spin_count ||
        a->spin_since != b->spin_since || a->spin_mutex != b->spin_mutex ||
        a->spin_rounds != b->spin_rounds) {
        return false;
    }
    const model_thread *thread = &vector_at(&m->program->threads, t);
    const int64_t *left = (const int64_t *)(state + registers) + a->first_register;
    const int64_t *right = (const int64_t *)(other + registers) + a->first_register;
    const bool *live = liveness_at(&m->liveness, m->program, t, a->pc);
    uint32_t named = vector_at(&thread->code, a->pc).named;
    for (uint32_t i = 0; i < thread->register_count; i++) {
        bool matters = i < named || (live[i] && a->status == THREAD_RUNS);
        if (matters && left[i] != right[i]) {
            return false;
        }
    }
    /* The local states that it had, which decide whether it waits. */
    size_t records = (size_t)((char *)(m->records + m->first_record[t]) - m->state);
    return memcmp(state + records, other + records,
                  a->spin_count * (thread->register_count + 1) * sizeof *left) == 0;
}

static void know_liveness(interpreter *m) {
    if (!m->liveness.live.count) {
        liveness_compute(&m->liveness, m->program);
    }
}

bool interpreter_equal_thread(target *target, const void *state, const void *other,
                              uint32_t thread) {
    know_liveness((interpreter *)target);
    return same_thread((const interpreter *)target, thread, state, other);
}

bool interpreter_equal(target *target, const void *state, const void *other) {
    interpreter *m = (interpreter *)target;
    size_t cells = m->program->cells.count * sizeof *m->cells;
    const char *a = state, *b = other;
    know_liveness(m);
    for (uint32_t t = 0; t < m->program->threads.count; t++) {
        if (!same_thread(m, t, a, b)) {
            return false;
        }
    }
    size_t mail = m->mailboxes ? (size_t)((char *)m->mailboxes - m->state) : m->state_size;
    size_t holds = (size_t)(m->sync - m->state);
    return memcmp(a, b, cells) == 0 && memcmp(a + holds, b + holds, m->holds_size) == 0 &&
           memcmp(a + mail, b + mail, m->state_size - mail) == 0;
}
