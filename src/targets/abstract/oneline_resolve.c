#include "targets/abstract/oneline_parser.h"

static bool check_thread(parser *p, const instruction *i) {
    if (i->kind != INSTRUCTION_SPAWN && i->kind != INSTRUCTION_JOIN &&
        i->kind != INSTRUCTION_SEND) {
        return true;
    }
    if (i->cell.first >= p->program->threads.count) {
        return oneline_fail_at(p, i->line, i->column, "expected a thread below %u, found %u",
                               p->program->threads.count, i->cell.first);
    }
    if (i->kind == INSTRUCTION_SPAWN && vector_at(&p->program->threads, i->cell.first).starts) {
        return oneline_fail_at(
            p, i->line, i->column,
            "expected a thread that starts when spawned (a leading '*'), found %u", i->cell.first);
    }
    return true;
}

static int64_t initial_value(const initial_list *list, uint32_t number) {
    return list->values[number < list->count ? number : list->count - 1];
}

static uint32_t add_symbol(parser *p, uint32_t symbol) {
    program *target = p->program;
    char name[16];
    if (symbol < FIRST_MUTEX) {
        snprintf(name, sizeof name, "%c", ONELINE_VARIABLES[symbol]);
        uint32_t number = program_add_cell(target, CELL_VARIABLE, name, 0);
        vector_at(&target->cells, number).plain = name[0] < 'a';
        return number;
    }
    if (symbol < FIRST_CONDITION) {
        snprintf(name, sizeof name, "m%u", symbol - FIRST_MUTEX);
        return program_add_cell(target, CELL_MUTEX, name, 0);
    }
    if (symbol < FIRST_SEMAPHORE) {
        snprintf(name, sizeof name, "c%u", symbol - FIRST_CONDITION);
        return program_add_cell(target, CELL_CONDITION, name, 0);
    }
    if (symbol < FIRST_RWLOCK) {
        snprintf(name, sizeof name, "sem%u", symbol - FIRST_SEMAPHORE);
        int64_t initial = initial_value(&p->semaphores, symbol - FIRST_SEMAPHORE);
        return program_add_cell(target, CELL_SEMAPHORE, name, initial);
    }
    if (symbol < FIRST_BARRIER) {
        snprintf(name, sizeof name, "rw%u", symbol - FIRST_RWLOCK);
        return program_add_cell(target, CELL_RWLOCK, name, 0);
    }
    if (symbol < FIRST_ONCE) {
        snprintf(name, sizeof name, "bar%u", symbol - FIRST_BARRIER);
        int64_t initial = initial_value(&p->barriers, symbol - FIRST_BARRIER);
        return program_add_cell(target, CELL_BARRIER, name, initial);
    }
    snprintf(name, sizeof name, "once%u", symbol - FIRST_ONCE);
    return program_add_cell(target, CELL_ONCE, name, 0);
}

static void number_instruction(instruction *i, const uint32_t *numbers) {
    if (i->kind < INSTRUCTION_CHOOSE) {
        i->cell.first = numbers[i->cell.first];
    }
    if (i->kind == INSTRUCTION_WAIT || i->kind == INSTRUCTION_TIMED_WAIT) {
        i->mutex.first = numbers[i->mutex.first];
    }
}

bool oneline_resolve(parser *p) {
    uint32_t numbers[SYMBOL_COUNT] = {0};
    for (uint32_t symbol = 0; symbol < SYMBOL_COUNT; symbol++) {
        if (p->used[symbol]) {
            numbers[symbol] = add_symbol(p, symbol);
        }
    }
    for (uint32_t t = 0; t < p->program->threads.count; t++) {
        model_thread *thread = &vector_at(&p->program->threads, t);
        for (uint32_t i = 0; i < thread->code.count; i++) {
            if (!check_thread(p, &vector_at(&thread->code, i))) {
                return false;
            }
            number_instruction(&vector_at(&thread->code, i), numbers);
        }
    }
    const instruction *where;
    const char *message = program_plain_error(p->program, &where);
    return !message || oneline_fail_at(p, where->line, where->column, "%s", message);
}
