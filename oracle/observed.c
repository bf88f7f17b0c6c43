#include "oracle/observed.h"

/* Cells that an await looks at. */
static uint64_t awaited_cells(const program *p) {
    uint64_t cells = 0;
    for (uint32_t t = 0; t < p->threads.count; t++) {
        for (uint32_t i = 0; i < p->threads.items[t].code.count; i++) {
            const instruction *in = &p->threads.items[t].code.items[i];
            for (uint32_t c = 0; in->kind == INSTRUCTION_AWAIT && c < in->cell.count; c++) {
                cells |= (uint64_t)1 << (in->cell.first + c);
            }
        }
    }
    return cells;
}

/* Variables whose writes may be unordered: all that nobody awaits, because whether an await is
 * enabled is seen without any event that sees it. */
static uint64_t memory_cells(const program *p) {
    uint64_t cells = 0;
    for (uint32_t c = 0; c < p->cells.count; c++) {
        if (p->cells.items[c].kind == CELL_VARIABLE) {
            cells |= (uint64_t)1 << c;
        }
    }
    return cells & ~awaited_cells(p);
}

/* Cells that event k reads as event i wrote them. */
static uint64_t read_from(const trace *t, uint32_t i, uint32_t k) {
    uint64_t cells = t->events[i].writes & t->events[k].loads;
    for (uint32_t between = i + 1; between < k; between++) {
        cells &= ~t->events[between].writes;
    }
    return cells;
}

static bool is_observed(const trace *t, uint32_t i, uint64_t memory) {
    for (uint32_t k = i + 1; k < t->count; k++) {
        if (read_from(t, i, k) & memory) {
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
static bool ordered(const trace *t, uint32_t i, uint32_t k, uint64_t memory) {
    machine_event a = t->events[i], b = t->events[k];
    uint64_t both = a.writes & b.writes & memory;
    if (read_from(t, i, k) || (a.loads & b.writes)) {
        return true;
    }
    if (both && (a.writes != b.writes || is_observed(t, k, memory))) {
        return true;
    }
    if (a.receiver != MACHINE_NONE && a.receiver == b.receiver) {
        return a.thread == b.thread || order_is_seen(t, i, k);
    }
    a.reads &= ~memory, a.writes &= ~memory;
    b.reads &= ~memory, b.writes &= ~memory;
    return trace_ordered(&a, &b);
}

hash observed_hash(const trace *t, const program *p) {
    uint64_t memory = memory_cells(p), before[MACHINE_STEPS];
    hash sum = {0, 0};
    for (uint32_t k = 0; k < t->count; k++) {
        before[k] = 0;
        for (uint32_t i = 0; i < k; i++) {
            if (ordered(t, i, k, memory)) {
                before[k] |= (uint64_t)1 << i | before[i];
            }
        }
        sum = hash_sum(sum, trace_event_hash(t, &t->events[k], before[k]));
    }
    return sum;
}
