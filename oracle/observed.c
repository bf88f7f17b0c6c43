#include "oracle/observed.h"

/* Cells that an await looks at. */
static cell_set awaited_cells(const program *p) {
    cell_set cells = {0};
    for (uint32_t t = 0; t < p->threads.count; t++) {
        for (uint32_t i = 0; i < vector_at(&p->threads, t).code.count; i++) {
            const instruction *in = &vector_at(&vector_at(&p->threads, t).code, i);
            for (uint32_t c = 0; in->kind == INSTRUCTION_AWAIT && c < in->cell.count; c++) {
                cells_add(&cells, in->cell.first + c);
            }
        }
    }
    return cells;
}

/* Variables whose writes may be unordered: all that no await reads, because whether an await is
 * enabled is seen without any event that sees it. */
static cell_set memory_cells(const program *p, const cell_set *spun) {
    cell_set cells = {0}, awaited = awaited_cells(p);
    for (uint32_t c = 0; c < p->cells.count; c++) {
        if (vector_at(&p->cells, c).kind == CELL_VARIABLE) {
            cells_add(&cells, c);
        }
    }
    cells = cells_without(cells, spun);
    return cells_without(cells, &awaited);
}

/* Cells that event k reads as event i wrote them. */
static cell_set read_from(const trace *t, uint32_t i, uint32_t k) {
    cell_set cells = cells_common(t->events[i].writes, &t->events[k].loads);
    for (uint32_t between = i + 1; between < k && cells_any(&cells); between++) {
        cells = cells_without(cells, &t->events[between].writes);
    }
    return cells;
}

static bool is_observed(const trace *t, uint32_t i, const cell_set *memory) {
    for (uint32_t k = i + 1; k < t->count; k++) {
        cell_set cells = read_from(t, i, k);
        if (cells_meet(&cells, memory)) {
            return true;
        }
    }
    return false;
}

/* The receive that takes the message of the send at i, or t->count. */
static uint32_t receive_of(const trace *t, uint32_t i) {
    const machine_event *send = &t->events[i];
    for (uint32_t k = i + 1; k < t->count; k++) {
        machine_edge took = t->events[k].took;
        if (took.thread == send->thread && took.index == send->index) {
            return k;
        }
    }
    return t->count;
}

/* Of two sends to one mailbox: the receive that takes the first could have taken the second. */
static bool order_is_seen(const trace *t, uint32_t i, uint32_t k) {
    uint32_t receive = receive_of(t, i);
    return receive < t->count && machine_matches(&t->events[receive].pattern, t->events[k].tag) &&
           receive_of(t, k) > receive;
}

/* Event i comes directly before the later event k. */
static bool ordered(const trace *t, uint32_t i, uint32_t k, const cell_set *memory) {
    machine_event a = t->events[i], b = t->events[k];
    cell_set from = read_from(t, i, k), both = cells_common(a.writes, &b.writes);
    if (cells_any(&from) || cells_meet(&a.loads, &b.writes)) {
        return true;
    }
    if (cells_meet(&both, memory) &&
        (!cells_equal(&a.writes, &b.writes) || is_observed(t, k, memory))) {
        return true;
    }
    if (a.receiver != MACHINE_NONE && a.receiver == b.receiver) {
        return a.thread == b.thread || order_is_seen(t, i, k);
    }
    a.reads = cells_without(a.reads, memory), a.writes = cells_without(a.writes, memory);
    b.reads = cells_without(b.reads, memory), b.writes = cells_without(b.writes, memory);
    return trace_ordered(&a, &b);
}

hash observed_hash(const trace *t, const program *p, const cell_set *awaited) {
    cell_set memory = memory_cells(p, awaited);
    uint64_t before[MACHINE_STEPS];
    hash sum = {0, 0};
    for (uint32_t k = 0; k < t->count; k++) {
        before[k] = 0;
        for (uint32_t i = 0; i < k; i++) {
            if (ordered(t, i, k, &memory)) {
                before[k] |= (uint64_t)1 << i | before[i];
            }
        }
        sum = hash_sum(sum, trace_event_hash(t, &t->events[k], before[k]));
    }
    return sum;
}
