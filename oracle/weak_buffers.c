/* TSO as a machine: memory, and for each thread a buffer of the stores that others do not see yet,
 * which reach memory one by one at any time. */
#include <string.h>

#include "oracle/weak_graph.h"

enum { BUFFER_MOST = 16 };

typedef struct store {
    uint8_t cell;
    int64_t value;
} store;

typedef struct buffers {
    const program *program;
    weak_thread threads[WEAK_THREADS];
    int64_t memory[WEAK_CELLS];
    store stores[WEAK_THREADS][BUFFER_MOST];
    uint8_t counts[WEAK_THREADS];
} buffers;

typedef struct search {
    hash_table visited, *outcomes;
    uint32_t limit;
    bool complete;
} search;

static hash outcome_of(const buffers *b) {
    hash h = {5, 6};
    for (uint32_t t = 0; t < b->program->threads.count; t++) {
        h = hash_append(h, weak_hash_thread(b->program, &b->threads[t], t).low);
    }
    for (uint32_t c = 0; c < b->program->cells.count; c++) {
        h = hash_append(h, (uint64_t)b->memory[c]);
    }
    return h;
}

static hash state_of(const buffers *b) {
    hash h = outcome_of(b);
    for (uint32_t t = 0; t < b->program->threads.count; t++) {
        const weak_thread *thread = &b->threads[t];
        h = hash_append(h, (uint64_t)b->counts[t] << 32 | thread->held);
        h = hash_append(h, (uint64_t)thread->past_count << 1 | thread->in_section);
        for (uint32_t i = 0; i < thread->past_count; i++) {
            h = hash_append(h, thread->past[i]);
        }
        for (uint32_t i = 0; i < b->counts[t]; i++) {
            h = hash_append(h, b->stores[t][i].cell);
            h = hash_append(h, (uint64_t)b->stores[t][i].value);
        }
    }
    return h;
}

static int64_t seen_by(const buffers *b, uint32_t t, uint32_t cell) {
    for (uint32_t i = b->counts[t]; i-- > 0;) {
        if (b->stores[t][i].cell == cell) {
            return b->stores[t][i].value;
        }
    }
    return b->memory[cell];
}

static void flush(buffers *b, uint32_t t) {
    b->memory[b->stores[t][0].cell] = b->stores[t][0].value;
    b->counts[t]--;
    memmove(&b->stores[t][0], &b->stores[t][1], b->counts[t] * sizeof(store));
}

/* ---- plain accesses are like others ---- */

static int64_t read_plain(void *context, uint32_t t, uint32_t cell) {
    return seen_by(context, t, cell);
}

static void write_plain(void *context, uint32_t t, uint32_t cell, int64_t value) {
    buffers *b = context;
    if (b->counts[t] == BUFFER_MOST) {
        b->threads[t].status = WEAK_LOST;
    } else {
        b->stores[t][b->counts[t]++] = (store){(uint8_t)cell, value};
    }
}

static weak_plain plain_of(buffers *b) {
    return (weak_plain){read_plain, write_plain, b};
}

static void start(buffers *b, uint32_t t) {
    weak_plain plain = plain_of(b);
    weak_start(b->program, &b->threads[t], t);
    weak_begin(b->program, &b->threads[t], t, &plain);
}

/* ---- steps ---- */

/* It needs an empty buffer. */
static bool waits_for_stores(const weak_op *op) {
    switch (op->instruction->kind) {
        case INSTRUCTION_READ:
        case INSTRUCTION_AWAIT:
        case INSTRUCTION_CHOOSE:
        case INSTRUCTION_ONCE_END:
        case INSTRUCTION_UNLOCK: return false;
        case INSTRUCTION_WRITE:
        case INSTRUCTION_FENCE: return op->instruction->order == ORDER_SEQ_CST;
        default: return true;
    }
}

static void write_cell(buffers *b, uint32_t t, const weak_op *op, int64_t value) {
    int64_t written = weak_written(op, t, value);
    if (waits_for_stores(op)) {
        b->memory[op->cell] = written;
    } else {
        b->stores[t][b->counts[t]++] = (store){(uint8_t)op->cell, written};
    }
}

/* False: the thread cannot continue now. */
static bool step(buffers *b, uint32_t t, uint32_t choice) {
    weak_op op = weak_pending(b->program, &b->threads[t], t);
    enum instruction_kind kind = op.instruction->kind;
    bool reads = weak_reads(&op);
    weak_plain plain = plain_of(b);
    int64_t value = reads ? seen_by(b, t, op.cell) : (int64_t)choice;
    bool early = kind == INSTRUCTION_JOIN &&
                 (b->threads[op.cell].status != WEAK_ENDED || b->counts[op.cell]);
    if ((waits_for_stores(&op) && b->counts[t]) || early || b->counts[t] == BUFFER_MOST ||
        (reads && !weak_passes(b->program, &b->threads[t], t, &op, value, &plain))) {
        return false;
    }
    if (weak_writes(&op, &b->threads[t], value)) {
        write_cell(b, t, &op, value);
    }
    if (kind == INSTRUCTION_SPAWN) {
        if (b->threads[op.cell].status != WEAK_UNBORN) {
            weak_fail(&b->threads[t]);
            return true;
        }
        start(b, op.cell);
    }
    weak_resume(b->program, &b->threads[t], t, &op, value, &plain);
    return true;
}

static uint32_t alternatives(const buffers *b, uint32_t t) {
    if (b->threads[t].status != WEAK_RUNS) {
        return 0;
    }
    weak_op op = weak_pending(b->program, &b->threads[t], t);
    return op.instruction->kind == INSTRUCTION_CHOOSE ? (uint32_t)op.a : 1;
}

static void explore(search *s, const buffers *b) {
    bool added, final = true;
    hash_table_add(&s->visited, state_of(b), &added);
    if (!added || !s->complete) {
        return;
    }
    s->complete = s->visited.entries.count <= s->limit;
    for (uint32_t t = 0; t < b->program->threads.count; t++) {
        s->complete = s->complete && b->threads[t].status != WEAK_LOST;
    }
    for (uint32_t t = 0; t < b->program->threads.count && s->complete; t++) {
        if (b->counts[t]) {
            buffers next = *b;
            flush(&next, t);
            explore(s, &next);
            final = false;
        }
        for (uint32_t i = 0; i < alternatives(b, t); i++) {
            buffers next = *b;
            if (step(&next, t, i)) {
                explore(s, &next);
                final = false;
            }
        }
    }
    if (final) {
        hash_table_add(s->outcomes, outcome_of(b), &added);
    }
}

static bool has_conditions(const program *p) {
    for (uint32_t c = 0; c < p->cells.count; c++) {
        if (vector_at(&p->cells, c).kind == CELL_CONDITION) {
            return true;
        }
    }
    return false;
}

bool weak_buffers_run(const program *p, uint32_t limit, hash_table *outcomes) {
    if (has_conditions(p)) {
        return false; /* whom a signal wakes is no part of this machine */
    }
    buffers b = {.program = p};
    search s = {.outcomes = outcomes, .limit = limit, .complete = true};
    for (uint32_t c = 0; c < p->cells.count; c++) {
        b.memory[c] = vector_at(&p->cells, c).initial;
    }
    for (uint32_t t = 0; t < p->threads.count; t++) {
        if (vector_at(&p->threads, t).starts) {
            start(&b, t);
        }
    }
    explore(&s, &b);
    hash_table_free(&s.visited);
    return s.complete;
}
