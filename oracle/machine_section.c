/* Atomic sections of the oracle's machine. */
#include "oracle/machine_part.h"

/* A choice inside an atomic section: the alternative of the section, as a number whose digits are
 * its choices, the first one being the lowest. */
static void choose_inside(machine *m, machine_event *e, const instruction *i) {
    int64_t count;
    CHECK(machine_evaluate(m, e->thread, i->a, &count) && count > 0);
    machine_observe(m, e, i, (int64_t)(m->choice_left % (uint64_t)count));
    m->choice_left /= (uint64_t)count;
    m->choice_factor *= (uint64_t)count;
    m->gave_up |= m->choice_factor > MACHINE_CELLS;
}

/* From after ATOMIC_BEGIN to after ATOMIC_END, or to where the thread was stopped. */
static void run_section(machine *m, machine_event *e) {
    machine_thread *thread = &m->threads[e->thread];
    uint32_t budget = MACHINE_LOCAL_STEPS;
    m->choice_left = e->choice == MACHINE_NONE ? 0 : e->choice;
    m->choice_factor = 1;
    thread->counter++;
    while (thread->status == STATUS_RUNNING) {
        const instruction *i = machine_next_instruction(m, e->thread);
        if (!budget-- || m->gave_up) {
            m->gave_up = true;
            return;
        }
        if (i->kind == INSTRUCTION_ATOMIC_END) {
            thread->counter++;
            return;
        }
        if (machine_is_local(i->kind)) {
            machine_run_local_instruction(m, e->thread);
        } else if (i->kind == INSTRUCTION_CHOOSE) {
            choose_inside(m, e, i);
            thread->counter++;
        } else if (machine_access_memory(m, e, i)) {
            thread->counter++;
        } else {
            machine_fail(m, e->thread, FAULT_MISUSE);
        }
    }
}

/* What the section at which the thread stands would do with this alternative. False: it has no such
 * alternative, because its choices leave something of the number. */
static bool try_section(const machine *m, uint32_t t, uint32_t choice, machine_event *e,
                        uint64_t *factor) {
    machine copy = *m;
    *e = (machine_event){.thread = t, .kind = KIND_ATOMIC, .choice = choice};
    run_section(&copy, e);
    *factor = copy.choice_factor;
    return !copy.gave_up && copy.choice_left == 0;
}

/* All alternatives of a section: numbers below the largest product of choices that occurs. */
uint32_t machine_section_alternatives(const machine *m, uint32_t t, uint32_t *choices) {
    uint64_t factor, end = 1;
    uint32_t count = 0;
    for (uint32_t choice = 0; choice < end && choice < MACHINE_CELLS; choice++) {
        machine_event e;
        bool has = try_section(m, t, choice, &e, &factor);
        end = factor > end ? factor : end;
        if (has && end > 1) {
            choices[count++] = choice;
        }
    }
    return count;
}

static void unite(cell_set *set, const cell_set *more) {
    for (uint32_t i = 0; i < CELL_WORDS; i++) {
        set->words[i] |= more->words[i];
    }
}

/* What a section with alternatives depends on does not depend on which of them is taken. */
void machine_run_atomic(machine *m, machine_event *e) {
    uint32_t choices[MACHINE_CELLS], count = machine_section_alternatives(m, e->thread, choices);
    cell_set reads = {0}, writes = {0}, loads = {0};
    for (uint32_t i = 0; i < count; i++) {
        machine_event other;
        uint64_t factor;
        CHECK(try_section(m, e->thread, choices[i], &other, &factor));
        unite(&reads, &other.reads);
        unite(&writes, &other.writes);
        unite(&loads, &other.loads);
    }
    run_section(m, e);
    machine_note_done(e);
    if (count > 1) {
        unite(&loads, &writes);
        e->reads = cells_without(reads, &writes);
        e->writes = writes;
        e->loads = loads;
    }
}
