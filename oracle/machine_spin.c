#include "oracle/machine_spin.h"

#include <string.h>

#include "oracle/machine_part.h"

#define ROUND_MOST_STEPS 500

bool machine_has_loops(const program *p) {
    for (uint32_t t = 0; t < p->threads.count; t++) {
        const model_thread *thread = &vector_at(&p->threads, t);
        for (uint32_t i = 0; i < thread->code.count; i++) {
            const instruction *in = &vector_at(&thread->code, i);
            if ((in->kind == INSTRUCTION_JUMP || in->kind == INSTRUCTION_BRANCH) && in->jump <= i) {
                return true;
            }
        }
    }
    return false;
}

/* ---- local states ---- */

static bool expression_reads(const program *p, uint32_t number, uint32_t reg) {
    if (number == EXPRESSION_NONE) {
        return false;
    }
    const expression *e = &vector_at(&p->expressions, number);
    if (e->kind == EXPRESSION_CONSTANT) {
        return false;
    }
    if (e->kind == EXPRESSION_REGISTER) {
        return e->value == (int64_t)reg;
    }
    return expression_reads(p, e->left, reg) ||
           (e->kind >= EXPRESSION_ADD && expression_reads(p, e->right, reg));
}

static bool instruction_reads(const program *p, const instruction *in, uint32_t reg) {
    return expression_reads(p, in->a, reg) || expression_reads(p, in->b, reg) ||
           (in->cell.count > 1 && expression_reads(p, in->cell.index, reg)) ||
           (in->mutex.count > 1 && expression_reads(p, in->mutex.index, reg));
}

/* Some path from there reads the register before it is written. */
static bool is_read(const program *p, const model_thread *t, uint32_t at, uint32_t reg,
                    bool *visited) {
    while (!visited[at]) {
        const instruction *in = &vector_at(&t->code, at);
        visited[at] = true;
        if (instruction_reads(p, in, reg)) {
            return true;
        }
        if (in->kind == INSTRUCTION_END || in->result == reg) {
            return false;
        }
        if (in->kind == INSTRUCTION_BRANCH && is_read(p, t, in->jump, reg, visited)) {
            return true;
        }
        at = in->kind == INSTRUCTION_JUMP ? in->jump : at + 1;
    }
    return false;
}

bool machine_register_matters(const program *p, uint32_t t, uint32_t counter, uint32_t reg) {
    const model_thread *thread = &vector_at(&p->threads, t);
    bool visited[MACHINE_CODE] = {false};
    CHECK(thread->code.count <= MACHINE_CODE);
    return reg < vector_at(&thread->code, counter).named ||
           is_read(p, thread, counter, reg, visited);
}

static uint64_t local_state(const machine *m, uint32_t t) {
    hash h = hash_append((hash){13, t}, m->threads[t].counter);
    for (uint32_t i = 0; i < vector_at(&m->program->threads, t).register_count; i++) {
        if (machine_register_matters(m->program, t, m->threads[t].counter, i)) {
            h = hash_append(hash_append(h, i), (uint64_t)m->threads[t].registers[i]);
        }
    }
    return h.low;
}

static bool was_here(const machine *m, uint32_t t) {
    uint64_t now = local_state(m, t);
    for (uint32_t i = 0; i < m->threads[t].past_count; i++) {
        if (m->threads[t].past[i] == now) {
            return true;
        }
    }
    return false;
}

/* ---- what steps do ---- */

static bool same_memory(const machine *a, const machine *b) {
    uint32_t cells = a->program->cells.count;
    return memcmp(a->cells, b->cells, cells * sizeof *a->cells) == 0 &&
           memcmp(a->owners, b->owners, cells * sizeof *a->owners) == 0;
}

static bool reads_only(enum instruction_kind kind) {
    return kind == INSTRUCTION_READ || kind == INSTRUCTION_AWAIT || kind == INSTRUCTION_CAS ||
           kind == INSTRUCTION_ADD || kind == INSTRUCTION_EXCHANGE || kind == INSTRUCTION_TRYLOCK;
}

/* It may be part of a void round, although it waits for nothing. */
static bool changes_nothing(enum instruction_kind kind) {
    return reads_only(kind) || kind == INSTRUCTION_FENCE;
}

bool machine_mutex_is_seen(const program *p, uint32_t mutex) {
    for (uint32_t t = 0; t < p->threads.count; t++) {
        for (uint32_t i = 0; i < vector_at(&p->threads, t).code.count; i++) {
            const instruction *in = &vector_at(&vector_at(&p->threads, t).code, i);
            bool sees = in->kind == INSTRUCTION_TRYLOCK || in->kind == INSTRUCTION_INIT ||
                        in->kind == INSTRUCTION_DESTROY;
            if (sees && mutex >= in->cell.first && mutex < in->cell.first + in->cell.count) {
                return true;
            }
        }
    }
    return false;
}

/* Locks a mutex and unlocks it at once. */
static bool is_empty_section(const machine *m, const machine *locked, uint32_t t) {
    const instruction *lock = machine_next_instruction(m, t),
                      *unlock = machine_next_instruction(locked, t);
    if (lock->kind != INSTRUCTION_LOCK || unlock->kind != INSTRUCTION_UNLOCK ||
        lock->cell.count != 1 || unlock->cell.count != 1 || m->destroyed[lock->cell.first]) {
        return false;
    }
    return lock->cell.first == unlock->cell.first &&
           !machine_mutex_is_seen(m->program, lock->cell.first);
}

/* Takes one void step, or a lock and its unlock; false: it would not be void. */
static bool take_void_step(machine *m, uint32_t t) {
    machine before = *m;
    if (m->threads[t].phase != PHASE_NONE || !machine_possible(m, t)) {
        return false;
    }
    enum instruction_kind kind = machine_next_instruction(m, t)->kind;
    if (kind == INSTRUCTION_LOCK) {
        machine_force_step(m, t);
        if (m->threads[t].status != STATUS_RUNNING || !is_empty_section(&before, m, t)) {
            return false;
        }
    } else if (!changes_nothing(kind)) {
        return false;
    }
    machine_force_step(m, t);
    return m->threads[t].status == STATUS_RUNNING && same_memory(m, &before);
}

bool machine_closes_round(const machine *m, uint32_t t) {
    if (!m->loops || m->threads[t].phase != PHASE_NONE ||
        (!reads_only(machine_next_instruction(m, t)->kind) &&
         machine_next_instruction(m, t)->kind != INSTRUCTION_LOCK)) {
        return false;
    }
    machine after = *m;
    after.steps = 0;
    return take_void_step(&after, t) && was_here(&after, t);
}

void machine_add_awaited(const machine *m, uint32_t t, cell_set *cells) {
    machine after = *m;
    machine_event e = machine_force_step(&after, t);
    for (uint32_t c = 0; c < m->program->cells.count; c++) {
        if (cells_have(&e.loads, c)) {
            cells_add(cells, c);
        }
    }
}

/* ---- histories ---- */

void machine_note_arrival(machine *m, uint32_t t) {
    machine_thread *thread = &m->threads[t];
    if (!m->loops || thread->status != STATUS_RUNNING) {
        return;
    }
    if (thread->past_count == MACHINE_PAST) {
        m->gave_up = true;
        return;
    }
    thread->past[thread->past_count++] = local_state(m, t);
}

void machine_note_step(machine *m, const machine *before, uint32_t t) {
    machine_thread *thread = &m->threads[t];
    if (!m->loops || thread->status != STATUS_RUNNING) {
        return;
    }
    const instruction *in = machine_next_instruction(before, t);
    bool first = before->threads[t].phase == PHASE_NONE;
    bool opens = first && is_empty_section(before, m, t);
    bool ends = before->threads[t].in_section;
    bool is_void =
        first && (opens || ends || (changes_nothing(in->kind) && same_memory(m, before)));
    thread->in_section = opens;
    if (!is_void) {
        thread->past_count = 0;
    }
    if (!opens) {
        machine_note_arrival(m, t);
    }
}

/* ---- stuck ---- */

static bool goes_round(const machine *m, uint32_t t) {
    machine alone = *m;
    uint64_t kept = local_state(m, t);
    for (uint32_t n = 1; n < ROUND_MOST_STEPS; n++) {
        alone.steps = 0;
        if (!take_void_step(&alone, t)) {
            return false;
        }
        if (local_state(&alone, t) == kept) {
            return true;
        }
        kept = (n & (n - 1)) == 0 ? local_state(&alone, t) : kept;
    }
    return false;
}

bool machine_rounds_are_real(const machine *m, bool *all_spin) {
    *all_spin = true;
    for (uint32_t t = 0; t < m->program->threads.count; t++) {
        if (m->threads[t].status != STATUS_RUNNING) {
            continue;
        }
        bool spins = machine_possible(m, t) && machine_closes_round(m, t);
        if (spins && !goes_round(m, t)) {
            return false;
        }
        *all_spin = *all_spin && spins;
    }
    return true;
}
