#include "oracle/meaning.h"

#include "oracle/hash.h"

#define MEANING_STATES 20000

typedef struct edge {
    uint32_t from, to;
    bool late; /* a time-out that comes where the others can only go round */
} edge;

typedef struct graph {
    hash_table states; /* value: its number */
    VECTOR(machine) machines;
    VECTOR(edge) edges;
    VECTOR(bool) ends; /* by number: an end can be reached from there */
    hash_table finals;
    bool idle;                /* waits time out where the others can only go round */
    VECTOR(uint32_t) waiting; /* states in which some might */
    bool gave_up;
} graph;

static hash state_of(const machine *m) {
    hash h = trace_final(m);
    for (uint32_t t = 0; t < m->program->threads.count; t++) {
        const machine_thread *thread = &m->threads[t];
        h = hash_append(
            h, (uint64_t)thread->present << 2 | (uint64_t)thread->woken << 1 | thread->timed_out);
        for (uint32_t i = 0; i < MACHINE_REGISTERS; i++) {
            h = hash_append(h, (uint64_t)thread->registers[i]);
        }
    }
    return h;
}

static uint32_t number_of(graph *g, const machine *m) {
    bool added;
    hash_entry *entry = hash_table_add(&g->states, state_of(m), &added);
    if (added) {
        entry->value = g->machines.count;
        vector_push(&g->machines, *m);
        vector_push(&g->ends, false);
    }
    return (uint32_t)entry->value;
}

static uint32_t step_thread(graph *g, uint32_t from, uint32_t t, bool late) {
    machine m = vector_at(&g->machines, from);
    uint32_t choices[MACHINE_CELLS];
    uint32_t count = machine_possible(&m, t) ? machine_alternatives(&m, t, choices) : 0;
    for (uint32_t i = 0; i < count; i++) {
        machine after = m;
        machine_step(&after, t, choices[i]);
        g->gave_up |= after.gave_up; /* in an endless loop of local code */
        after.steps = after.mark_count = 0;
        vector_push(&g->edges, ((edge){from, number_of(g, &after), late}));
    }
    return count;
}

static void take_steps(graph *g, uint32_t from) {
    machine m = vector_at(&g->machines, from);
    bool end = true, waits = false, added;
    for (uint32_t t = 0; t < m.program->threads.count; t++) {
        bool later = g->idle && machine_may_time_out(&m, t);
        end &= later || !step_thread(g, from, t, false);
        waits |= later;
    }
    if (waits) {
        vector_push(&g->waiting, from);
    } else if (end) {
        vector_at(&g->ends, from) = true;
        hash_table_add(&g->finals, trace_final(&m), &added);
    }
}

/* ---- time-outs when nothing else happens ---- */

typedef VECTOR(uint32_t) numbers;

static bool has(const numbers *list, uint32_t number) {
    for (uint32_t i = 0; i < list->count; i++) {
        if (vector_at(list, i) == number) {
            return true;
        }
    }
    return false;
}

/* Adds what can be reached from what is in the list, or that from which it can, up to `most`. */
static void add_reached(const graph *g, numbers *list, bool backwards, uint32_t most) {
    for (uint32_t next = 0; next < list->count && list->count <= most; next++) {
        for (uint32_t i = 0; i < g->edges.count; i++) {
            edge e = vector_at(&g->edges, i);
            uint32_t from = backwards ? e.to : e.from, to = backwards ? e.from : e.to;
            if (!e.late && from == vector_at(list, next) && !has(list, to)) {
                vector_push(list, to);
            }
        }
    }
}

enum { MOST_ROUND = 64 }; /* states of threads that only go round */

/* From all states that it leads to, it can be reached again. */
static bool only_goes_round(const graph *g, uint32_t state) {
    static numbers after, before;
    vector_clear(&after);
    vector_push(&after, state);
    add_reached(g, &after, false, MOST_ROUND);
    if (after.count > MOST_ROUND) {
        return false;
    }
    vector_clear(&before);
    vector_push(&before, state);
    add_reached(g, &before, true, MEANING_STATES);
    for (uint32_t i = 0; i < after.count; i++) {
        if (!has(&before, vector_at(&after, i))) {
            return false;
        }
    }
    return true;
}

/* All other steps are known: the time-outs that are due. False: there are none. */
static bool time_out(graph *g) {
    uint32_t known = g->edges.count;
    numbers due = {0};
    for (uint32_t i = 0; i < g->waiting.count; i++) {
        if (only_goes_round(g, vector_at(&g->waiting, i))) {
            vector_push(&due, vector_at(&g->waiting, i));
        }
    }
    vector_clear(&g->waiting);
    for (uint32_t i = 0; i < due.count; i++) {
        const machine *m = &vector_at(&g->machines, vector_at(&due, i));
        uint32_t t = 0;
        while (!machine_may_time_out(m, t)) {
            t++;
        }
        step_thread(g, vector_at(&due, i), t, true);
    }
    vector_free(&due);
    return g->edges.count > known;
}

/* Some state leads to no end. */
static bool goes_round(graph *g) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = g->edges.count; i-- > 0;) {
            edge e = vector_at(&g->edges, i);
            if (vector_at(&g->ends, e.to) && !vector_at(&g->ends, e.from)) {
                vector_at(&g->ends, e.from) = changed = true;
            }
        }
    }
    for (uint32_t i = 0; i < g->ends.count; i++) {
        if (!vector_at(&g->ends, i)) {
            return true;
        }
    }
    return false;
}

static enum meaning compare(graph *g, const brute *b) {
    hash key;
    if (hash_table_missing(&g->finals, &b->ends, &key) ||
        hash_table_missing(&b->ends, &g->finals, &key)) {
        return MEANING_OTHER_ENDS;
    }
    return goes_round(g) == b->goes_round ? MEANING_SAME : MEANING_OTHER_ROUNDS;
}

/* Fills the graph; false: it would be too large. */
static bool visit_all(graph *g, const program *p, bool fine) {
    machine start;
    if (!machine_init(&start, p, fine)) {
        return false;
    }
    start.loops = false; /* rounds may be repeated any number of times */
    number_of(g, &start);
    uint32_t next = 0;
    do {
        while (next < g->machines.count && next < MEANING_STATES && !g->gave_up) {
            take_steps(g, next++);
        }
    } while (next == g->machines.count && !g->gave_up && time_out(g));
    return next == g->machines.count && !g->gave_up;
}

static void free_graph(graph *g) {
    hash_table_free(&g->states);
    hash_table_free(&g->finals);
    vector_free(&g->machines);
    vector_free(&g->edges);
    vector_free(&g->ends);
    vector_free(&g->waiting);
}

enum meaning meaning_compare(const program *p, const brute *b) {
    graph g = {0};
    bool known = b->complete && visit_all(&g, p, b->fine);
    enum meaning result = known ? compare(&g, b) : MEANING_UNKNOWN;
    free_graph(&g);
    return result;
}

bool meaning_states(const program *p, bool idle, meaning_visit *visit, void *context,
                    bool *rounds) {
    graph g = {.idle = idle};
    bool known = visit_all(&g, p, false);
    for (uint32_t i = 0; known && i < g.machines.count; i++) {
        visit(context, &vector_at(&g.machines, i), vector_at(&g.ends, i));
    }
    *rounds = goes_round(&g);
    free_graph(&g);
    return known;
}
