/* Plain accesses of execution graphs. In a graph without a race all of them to one variable are
 * ordered by happens-before, so that there is one write that each may read. */
#include "oracle/machine_spin.h"
#include "oracle/weak_graph.h"

/* The event, which is the latest, and an earlier one to the same variable, one of which writes, are
 * not ordered. */
static bool races(const weak_graph *g) {
    uint32_t id = g->count - 1;
    const weak_event *e = &g->events[id];
    for (uint32_t i = 0; i < id; i++) {
        const weak_event *other = &g->events[i];
        if (other->plain && other->cell == e->cell && (other->writes || e->writes) &&
            !weak_graph_happens(g, i, id)) {
            return true;
        }
    }
    return false;
}

static bool others_live(const weak_graph *g, uint32_t thread) {
    for (uint32_t t = 0; t < g->program->threads.count; t++) {
        bool lives =
            vector_at(&g->program->threads, t).starts || g->threads[t].status != WEAK_UNBORN;
        if (t != thread && lives) {
            return true;
        }
    }
    return false;
}

static bool is_in_loop(const weak_graph *g, uint32_t thread) {
    const model_thread *t = &vector_at(&g->program->threads, thread);
    uint32_t at = g->threads[thread].counter;
    for (uint32_t i = at; i < t->code.count; i++) {
        if (instruction_jumps_back(&vector_at(&t->code, i), at)) {
            return true;
        }
    }
    return false;
}

/* The latest step of the thread has locked a mutex. */
static bool has_just_locked(const weak_graph *g, uint32_t thread) {
    for (uint32_t id = g->count; id-- > 0;) {
        if (g->events[id].thread == thread && !g->events[id].plain) {
            return g->events[id].kind == INSTRUCTION_LOCK;
        }
    }
    return false;
}

/* It holds a mutex that nobody tries to lock: then sections may be left out. Not if a loop lies
 * within the section: its rounds are left out alone. */
static bool is_guarded(const weak_graph *g, uint32_t thread) {
    uint32_t held = g->threads[thread].held;
    if (is_in_loop(g, thread) && !has_just_locked(g, thread)) {
        return false;
    }
    for (uint32_t c = 0; c < g->program->cells.count; c++) {
        if (held >> c & 1 && machine_mutex_is_seen(g->program, c)) {
            return false;
        }
    }
    return held != 0;
}

static weak_event *add(weak_graph *g, uint32_t thread, uint32_t cell) {
    g->unguarded = g->unguarded || (!is_guarded(g, thread) && others_live(g, thread) &&
                                    machine_has_loops(g->program));
    if (g->count == WEAK_EVENTS) {
        g->threads[thread].status = WEAK_LOST;
        return NULL;
    }
    weak_event *e = &g->events[g->count++];
    *e = (weak_event){.thread = (uint8_t)thread,
                      .index = g->lengths[thread]++,
                      .order = ORDER_RELAXED,
                      .plain = true,
                      .cell = (uint8_t)cell};
    return e;
}

/* A thread that races goes no further: what it has read depends on who comes first. */
static void judge(weak_graph *g, uint32_t thread) {
    if (races(g)) {
        g->races = true;
        g->threads[thread].status = WEAK_FAILED;
    }
}

static int64_t latest_of(const weak_graph *g, uint32_t cell) {
    const weak_cell *c = &g->cells[cell];
    return c->count ? g->events[c->writes[c->count - 1]].written
                    : vector_at(&g->program->cells, cell).initial;
}

static int64_t read_plain(void *context, uint32_t thread, uint32_t cell) {
    weak_graph *g = context;
    const weak_cell *c = &g->cells[cell];
    weak_event *e = add(g, thread, cell);
    int64_t value = latest_of(g, cell);
    if (e) {
        e->reads = true;
        e->kind = INSTRUCTION_READ;
        e->read = value;
        e->source = c->count ? c->writes[c->count - 1] : WEAK_INITIAL;
        judge(g, thread);
    }
    return value;
}

static void write_plain(void *context, uint32_t thread, uint32_t cell, int64_t value) {
    weak_graph *g = context;
    weak_event *e = add(g, thread, cell);
    if (e) {
        e->writes = true;
        e->kind = INSTRUCTION_WRITE;
        e->written = value;
        g->cells[cell].writes[g->cells[cell].count++] = (uint8_t)(g->count - 1);
        judge(g, thread);
    }
}

weak_plain weak_graph_plain(weak_graph *g) {
    return (weak_plain){read_plain, write_plain, g};
}

static int64_t read_latest(void *context, uint32_t thread, uint32_t cell) {
    const weak_graph *g = context;
    (void)thread;
    return latest_of(g, cell);
}

weak_plain weak_graph_latest(const weak_graph *g) {
    return (weak_plain){.read = read_latest, .context = (void *)(uintptr_t)g};
}
