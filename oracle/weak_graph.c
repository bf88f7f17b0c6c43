#include "oracle/weak_graph.h"

#include <string.h>

static void start(weak_graph *g, uint32_t t) {
    weak_plain plain = weak_graph_plain(g);
    weak_start(g->program, &g->threads[t], t);
    weak_begin(g->program, &g->threads[t], t, &plain);
}

void weak_graph_init(weak_graph *g, const program *p, uint32_t patience) {
    memset(g, 0, sizeof *g);
    g->program = p;
    for (uint32_t t = 0; t < p->threads.count; t++) {
        g->threads[t].patience = (uint8_t)patience;
    }
    for (uint32_t t = 0; t < p->threads.count; t++) {
        if (vector_at(&p->threads, t).starts) {
            start(g, t);
        }
    }
}

/* The value of the write at a position of a cell; 0 is the initial one. */
static int64_t value_at(const weak_graph *g, uint32_t cell, uint32_t position) {
    return position ? g->events[g->cells[cell].writes[position - 1]].written
                    : vector_at(&g->program->cells, cell).initial;
}

static bool drains(const weak_op *op, const weak_event *e) {
    switch (op->instruction->kind) {
        case INSTRUCTION_READ:
        case INSTRUCTION_AWAIT:
        case INSTRUCTION_CHOOSE: return false;
        case INSTRUCTION_WRITE:
        case INSTRUCTION_UNLOCK:
        case INSTRUCTION_ONCE_END:
        case INSTRUCTION_FENCE: return e->order == ORDER_SEQ_CST;
        default: return true;
    }
}

static void insert(weak_cell *c, uint32_t position, uint32_t id) {
    memmove(c->writes + position + 1, c->writes + position, c->count - position);
    c->writes[position] = (uint8_t)id;
    c->count++;
}

/* Who waits continues. */
static void wake(weak_graph *g, uint64_t set) {
    for (uint32_t t = 0; t < g->program->threads.count; t++) {
        if (set >> t & 1) {
            g->threads[t].woken = (uint8_t)g->count;
        }
    }
}

/* A spawn starts its thread; a second one fails. */
static void act_on_threads(weak_graph *g, const weak_op *op, weak_thread *t) {
    const weak_event *e = &g->events[g->count - 1];
    if (op->instruction->kind == INSTRUCTION_SIGNAL ||
        op->instruction->kind == INSTRUCTION_BROADCAST) {
        wake(g, (uint64_t)(e->read & ~e->written));
    }
    if (op->instruction->kind != INSTRUCTION_SPAWN) {
        return;
    }
    if (g->threads[op->cell].status != WEAK_UNBORN) {
        weak_fail(t);
    } else {
        start(g, op->cell);
    }
}

bool weak_graph_add(weak_graph *g, uint32_t thread, uint32_t position) {
    weak_thread *t = &g->threads[thread];
    weak_op op = weak_pending(g->program, t, thread);
    enum instruction_kind kind = op.instruction->kind;
    bool reads = weak_reads(&op), signals = kind == INSTRUCTION_SIGNAL;
    uint32_t chosen = position;
    position = signals ? g->cells[op.cell].count : position; /* others cannot be */
    int64_t value = reads ? value_at(g, op.cell, position) : (int64_t)position;
    int64_t waiters = value == WEAK_DESTROYED ? 0 : value;
    if (weak_sleeps(t) || (signals && !(waiters >> chosen & 1) && (waiters || chosen))) {
        return false;
    }
    weak_plain now = weak_graph_latest(g), plain = weak_graph_plain(g);
    bool joins_early = kind == INSTRUCTION_JOIN && g->threads[op.cell].status != WEAK_ENDED;
    if (g->count == WEAK_EVENTS || joins_early ||
        (reads && !weak_passes(g->program, t, thread, &op, value, &now))) {
        return false;
    }
    weak_event *e = &g->events[g->count];
    *e = (weak_event){.thread = (uint8_t)thread,
                      .index = g->lengths[thread]++,
                      .reads = reads,
                      .writes = weak_writes(&op, t, value),
                      .fence = kind == INSTRUCTION_FENCE,
                      .order = (uint8_t)weak_order(&op, value),
                      .kind = (uint8_t)kind,
                      .cell = (uint8_t)op.cell,
                      .read = value};
    e->drains = drains(&op, e);
    e->waker = t->waited == 2 ? t->woken : 0;
    e->creates = kind == INSTRUCTION_SPAWN && g->threads[op.cell].status == WEAK_UNBORN;
    if (reads) {
        e->source = position ? g->cells[op.cell].writes[position - 1] : WEAK_INITIAL;
    }
    if (e->writes) {
        e->written = weak_written(&op, thread, value);
        e->chosen = (uint8_t)(signals && waiters ? chosen + 1 : 0);
        e->written &= ~(signals ? (int64_t)1 << chosen : 0);
        insert(&g->cells[op.cell], position, g->count);
    }
    g->count++;
    act_on_threads(g, &op, t);
    if (t->status == WEAK_RUNS) {
        weak_resume(g->program, t, thread, &op, value, &plain);
    }
    return true;
}

/* How many positions weak_graph_add can be given for the next event of the thread. */
static uint32_t count_positions(const weak_graph *g, uint32_t thread) {
    const weak_thread *t = &g->threads[thread];
    if (t->status != WEAK_RUNS) {
        return 0;
    }
    weak_op op = weak_pending(g->program, t, thread);
    if (op.instruction->kind == INSTRUCTION_CHOOSE) {
        return (uint32_t)op.a;
    }
    if (op.instruction->kind == INSTRUCTION_SIGNAL) {
        return g->program->threads.count;
    }
    return weak_reads(&op) || weak_writes(&op, t, 0) ? g->cells[op.cell].count + 1u : 1;
}

/* The thread does not continue from here: it has ended, or waits for what does not come. */
static bool has_stopped(const weak_graph *g, uint32_t thread) {
    const weak_thread *t = &g->threads[thread];
    if (t->status != WEAK_RUNS) {
        return true;
    }
    weak_op op = weak_pending(g->program, t, thread);
    if (weak_sleeps(t)) {
        return true;
    }
    if (op.instruction->kind == INSTRUCTION_JOIN) {
        return g->threads[op.cell].status != WEAK_ENDED;
    }
    weak_plain now = weak_graph_latest(g);
    return weak_reads(&op) &&
           !weak_passes(g->program, t, thread, &op, now.read(now.context, thread, op.cell), &now);
}

/* Some thread goes further than the judge follows. */
static bool is_lost(const weak_graph *g) {
    for (uint32_t t = 0; t < g->program->threads.count; t++) {
        if (g->threads[t].status == WEAK_LOST) {
            return true;
        }
    }
    return false;
}

/* Of threads that stand although they run. */
static enum weak_ending judge_stuck(const weak_graph *g) {
    const program *p = g->program;
    weak_plain now = weak_graph_latest(g);
    bool all_spin = true;
    for (uint32_t t = 0; t < p->threads.count; t++) {
        const weak_thread *thread = &g->threads[t];
        if (thread->status != WEAK_RUNS) {
            continue;
        }
        weak_op op = weak_pending(p, thread, t);
        bool spins = weak_reads(&op) &&
                     weak_closes_round(p, thread, t, &op, now.read(now.context, t, op.cell), &now);
        if (spins && !weak_goes_round(p, thread, t, &now)) {
            return WEAK_ARTIFACT;
        }
        all_spin = all_spin && spins;
    }
    return all_spin ? WEAK_LIVELOCK : WEAK_DEADLOCK;
}

enum weak_ending weak_graph_ending(const weak_graph *g) {
    bool seen[WEAK_LOST + 1] = {false};
    for (uint32_t t = 0; t < g->program->threads.count; t++) {
        seen[g->threads[t].status] = true;
    }
    enum weak_ending stuck = seen[WEAK_RUNS] ? judge_stuck(g) : WEAK_COMPLETE;
    return stuck == WEAK_ARTIFACT ? stuck
           : seen[WEAK_ASSUMED]   ? WEAK_ASSUME_BLOCKED
           : seen[WEAK_FAILED]    ? WEAK_COMPLETE
                                  : stuck;
}

/* ---- hashes ---- */

static uint64_t name_of(const weak_graph *g, uint32_t id) {
    return id == WEAK_INITIAL ? 0
                              : (uint64_t)(g->events[id].thread + 1) << 16 | g->events[id].index;
}

/* Events by their threads, so that the order in which they were added does not matter. */
hash weak_graph_hash(const weak_graph *g) {
    hash all = {0, 0};
    for (uint32_t i = 0; i < g->count; i++) {
        const weak_event *e = &g->events[i];
        hash h = hash_append((hash){1, 2}, name_of(g, i));
        h = hash_append(h, e->reads ? name_of(g, e->source) : 1);
        h = hash_append(h, e->kind == INSTRUCTION_CHOOSE ? (uint64_t)e->read : e->chosen);
        all = hash_sum(all, h);
    }
    for (uint32_t c = 0; c < g->program->cells.count; c++) {
        hash h = hash_append((hash){3, 4}, c);
        for (uint32_t i = 0; i < g->cells[c].count; i++) {
            h = hash_append(h, name_of(g, g->cells[c].writes[i]));
        }
        all = hash_sum(all, h);
    }
    return all;
}

/* A hash of what the graph results in. */
static hash hash_outcome(const weak_graph *g) {
    hash h = {5, 6};
    for (uint32_t t = 0; t < g->program->threads.count; t++) {
        h = hash_append(h, weak_hash_thread(g->program, &g->threads[t], t).low);
    }
    for (uint32_t c = 0; c < g->program->cells.count; c++) {
        h = hash_append(h, (uint64_t)value_at(g, c, g->cells[c].count));
    }
    return h;
}

/* ---- all of them ---- */

static void explore(weak_brute *b, const weak_graph *g, const weak_request *request) {
    bool added, stands = true;
    hash_table_add(&b->visited, weak_graph_hash(g), &added);
    b->races = b->races || g->races;
    b->unguarded = b->unguarded || g->unguarded;
    if (!added || !b->complete || g->races) {
        return;
    }
    b->complete = b->visited.entries.count <= request->limit && !is_lost(g);
    for (uint32_t t = 0; t < g->program->threads.count; t++) {
        stands = stands && has_stopped(g, t);
        uint32_t positions = count_positions(g, t);
        for (uint32_t i = 0; i < positions && b->complete; i++) {
            weak_graph next = *g;
            if (g->count == WEAK_EVENTS) {
                b->complete = false;
            } else if (weak_graph_add(&next, t, i) &&
                       weak_graph_consistent(&next, request->model)) {
                explore(b, &next, request);
            }
        }
    }
    if (stands) {
        hash_table_add(&b->graphs, weak_graph_hash(g), &added)->value = weak_graph_ending(g);
        hash_table_add(&b->outcomes, hash_outcome(g), &added);
    }
}

void weak_brute_run(weak_brute *b, const program *p, const weak_request *request) {
    weak_graph g;
    *b = (weak_brute){.complete = true};
    weak_graph_init(&g, p, request->patience);
    explore(b, &g, request);
}

void weak_brute_free(weak_brute *b) {
    hash_table_free(&b->graphs);
    hash_table_free(&b->outcomes);
    hash_table_free(&b->visited);
}
