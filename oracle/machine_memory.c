/* Accesses to variables of the oracle's machine. */
#include "oracle/machine_part.h"

/* All cells of a range get one value, or what those of another range hold. */
static bool access_range(machine *m, machine_event *e, const instruction *i) {
    int64_t values[MACHINE_CELLS], a;
    if (!machine_evaluate(m, e->thread, i->a, &a)) {
        return false;
    }
    for (uint32_t k = 0; k < i->length; k++) {
        values[k] = i->kind == INSTRUCTION_COPY ? m->cells[i->source + k] : a;
        if (i->kind == INSTRUCTION_COPY) {
            machine_note_load(e, i->source + k);
            machine_note_read(e, i->source + k);
        }
    }
    for (uint32_t k = 0; k < i->length; k++) {
        machine_note_write(e, i->cell.first + k);
        m->cells[i->cell.first + k] = values[k];
    }
    return true;
}

bool machine_access_memory(machine *m, machine_event *e, const instruction *i) {
    if (i->kind == INSTRUCTION_FILL || i->kind == INSTRUCTION_COPY) {
        return access_range(m, e, i);
    }
    uint32_t cell;
    int64_t a, b;
    if (!machine_resolve(m, e->thread, &i->cell, &cell) ||
        !machine_evaluate(m, e->thread, i->a, &a) || !machine_evaluate(m, e->thread, i->b, &b)) {
        return false;
    }
    int64_t old = m->cells[cell];
    bool swaps = i->kind == INSTRUCTION_CAS && old == a;
    if (i->kind != INSTRUCTION_WRITE) {
        machine_note_load(e, cell);
    }
    if (i->kind == INSTRUCTION_READ || (i->kind == INSTRUCTION_CAS && !swaps)) {
        machine_note_read(e, cell);
    } else {
        machine_note_write(e, cell);
    }
    switch (i->kind) {
        case INSTRUCTION_READ: machine_observe(m, e, i, old); break;
        case INSTRUCTION_WRITE: m->cells[cell] = a; break;
        case INSTRUCTION_ADD:
            machine_observe(m, e, i, old);
            m->cells[cell] = (int64_t)((uint64_t)old + (uint64_t)a);
            break;
        case INSTRUCTION_EXCHANGE:
            machine_observe(m, e, i, old);
            m->cells[cell] = a;
            break;
        case INSTRUCTION_CAS:
            machine_observe(m, e, i, swaps);
            if (swaps) {
                m->cells[cell] = b;
            }
            break;
        default: CHECK(false);
    }
    return true;
}
