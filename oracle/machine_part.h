/* What the files of the oracle's machine share; not included elsewhere. */
#ifndef HEDDLE_ORACLE_MACHINE_PART_H
#define HEDDLE_ORACLE_MACHINE_PART_H

#include "base/check.h"
#include "oracle/hash.h"
#include "oracle/machine.h"

static inline const instruction *machine_next_instruction(const machine *m, uint32_t t) {
    return &vector_at(&vector_at(&m->program->threads, t).code, m->threads[t].counter);
}

static inline bool machine_evaluate(const machine *m, uint32_t t, uint32_t expression,
                                    int64_t *value) {
    if (expression == EXPRESSION_NONE) {
        *value = 0;
        return true;
    }
    return program_evaluate(m->program, expression, m->threads[t].registers, value);
}

/* Which cell (or thread) is meant; false: outside the array, or a division by zero. */
static inline bool machine_resolve(const machine *m, uint32_t t, const place *p, uint32_t *number) {
    int64_t index = 0;
    if (p->count != 1 && !machine_evaluate(m, t, p->index, &index)) {
        return false;
    }
    if (index < 0 || index >= p->count) {
        return false;
    }
    *number = p->first + (uint32_t)index;
    return true;
}

static inline void machine_set_register(machine *m, uint32_t t, uint32_t number, int64_t value) {
    if (number != REGISTER_NONE) {
        m->threads[t].registers[number] = value;
    }
}

static inline void machine_fail(machine *m, uint32_t t, enum machine_error error) {
    m->threads[t].status = STATUS_FAILED;
    m->threads[t].error = error;
}

static inline bool machine_is_local(enum instruction_kind kind) {
    return kind >= INSTRUCTION_SET && kind <= INSTRUCTION_ASSERT;
}

static inline bool machine_must_relock(const machine_thread *thread) {
    return thread->woken || thread->timed_out || !thread->timed;
}

static inline void machine_note_write(machine_event *e, uint32_t cell) {
    cells_add(&e->writes, cell);
    cells_remove(&e->reads, cell);
}

static inline void machine_note_read(machine_event *e, uint32_t cell) {
    if (!cells_have(&e->writes, cell)) {
        cells_add(&e->reads, cell);
    }
}

static inline void machine_note_load(machine_event *e, uint32_t cell) {
    if (!cells_have(&e->writes, cell)) {
        cells_add(&e->loads, cell);
    }
}

static inline void machine_note_edge(machine_event *e, machine_edge edge) {
    if (edge.thread != MACHINE_NONE) {
        CHECK(e->edge_count < MACHINE_THREADS + 1);
        e->edges[e->edge_count++] = edge;
    }
}

/* A single operation shows its value as it is; an atomic section the hash of all of them. */
static inline void machine_note_value(machine_event *e, int64_t value) {
    e->value =
        e->kind == KIND_ATOMIC ? hash_mix(e->value + hash_mix((uint64_t)value)) : (uint64_t)value;
}

static inline void machine_observe(machine *m, machine_event *e, const instruction *i,
                                   int64_t value) {
    machine_set_register(m, e->thread, i->result, value);
    machine_note_value(e, value);
}

static inline void machine_note_done(machine_event *e) {
    e->did_read = e->reads;
    e->did_write = e->writes;
    e->did_load = e->loads;
}

/* One local instruction, the program counter included. */
void machine_run_local_instruction(machine *, uint32_t thread);

/* Read, write, fetch-add, exchange, compare-and-swap, ranges, alone or inside an atomic section.
 * False, and nothing done, if an operand is in error. */
bool machine_access_memory(machine *, machine_event *, const instruction *);

/* The atomic section at which the thread stands, and its alternatives: none if it has no choice. */
void machine_run_atomic(machine *, machine_event *);
uint32_t machine_section_alternatives(const machine *, uint32_t thread, uint32_t *choices);

/* An operation on a mutex or a condition whose number is known. */
void machine_run_lock(machine *, machine_event *, const instruction *, uint32_t number);
void machine_begin_wait(machine *, machine_event *, const instruction *, uint32_t condition,
                        uint32_t mutex);

/* The steps of a wait after the first: unlock, perhaps time-out, lock again. True: it is over. */
bool machine_continue_wait(machine *, machine_event *);

#endif
