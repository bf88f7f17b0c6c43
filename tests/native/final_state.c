#include "final_state.h"

#include "emit.h"
#include "targets/abstract/interpreter_state.h"

static uint64_t add(uint64_t state, int64_t value) {
    state = (state ^ (uint64_t)value) * 0x9e3779b97f4a7c15u;
    return state ^ state >> 31;
}

static uint64_t add_variables(const program *p, const int64_t *cells) {
    uint64_t state = 1;
    for (uint32_t i = 0; i < p->cells.count; i++) {
        state = p->cells.items[i].kind == CELL_VARIABLE ? add(state, cells[i]) : state;
    }
    return state;
}

static int64_t locals(const instruction *end, const int64_t *registers) {
    int64_t sum = 0;
    for (uint32_t r = 0; r < end->named; r++) {
        sum = EMIT_LOCALS_STEP(sum, registers[r]);
    }
    return EMIT_LOCALS_STEP(sum, 1);
}

uint64_t final_state_abstract(const program *p, target *t) {
    interpreter *m = (interpreter *)t;
    uint64_t state = add_variables(p, m->cells);
    for (uint32_t i = 0; i < p->threads.count; i++) {
        bool ended = m->threads[i].status == THREAD_ENDED;
        state = add(state, ended ? locals(model_current(m, i), model_registers(m, i)) : 0);
    }
    return state;
}

uint64_t final_state_machine(const machine *m) {
    uint64_t state = add_variables(m->program, m->cells);
    for (uint32_t i = 0; i < m->program->threads.count; i++) {
        const machine_thread *t = &m->threads[i];
        const instruction *end = &m->program->threads.items[i].code.items[t->counter];
        state = add(state, t->status == STATUS_ENDED ? locals(end, t->registers) : 0);
    }
    return state;
}

uint64_t final_state_native(const program *p, const int64_t *variables) {
    uint64_t state = add_variables(p, variables);
    for (uint32_t i = 0; i < p->threads.count; i++) {
        state = add(state, variables[p->cells.count + i]);
    }
    return state;
}
