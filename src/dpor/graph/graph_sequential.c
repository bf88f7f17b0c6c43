/* RC11's seq_cst events (Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017, section 4): the partial
 * order psc, which they have to agree with, is acyclic.
 *
 *   scb = sb | pod; hb; pod | hb at one location | co | fr     (pod: sb between different
 * locations) psc = ([SC] | [fence]; hb?); scb; ([SC] | hb?; [fence]) | [fence]; (hb | hb; eco; hb);
 * [fence]
 *
 * A set of events is a row of bits, a relation a row for each event. */
#include <string.h>

#include "dpor/graph/graph.h"

typedef struct relations {
    const graph *g;
    uint32_t count, words;
    uint64_t *happens, *pod, *scb, *eco, *psc; /* a row for each event */
    uint64_t *through;                         /* hb; pod */
    uint64_t *sequential, *fences;             /* sets */
    uint64_t *set, *other;                     /* room */
} relations;

enum { ROWS_PER_EVENT = 6, SINGLE_ROWS = 4 };

static uint64_t *row(const relations *r, uint64_t *matrix, uint32_t id) {
    return matrix + (size_t)id * r->words;
}

static void put(uint64_t *set, uint32_t id) {
    set[id / 64] |= (uint64_t)1 << id % 64;
}

static bool has(const uint64_t *set, uint32_t id) {
    return set[id / 64] >> id % 64 & 1;
}

static void add(const relations *r, uint64_t *set, const uint64_t *other) {
    for (uint32_t i = 0; i < r->words; i++) {
        set[i] |= other[i];
    }
}

/* The rows of all members of a set. */
static void add_image(const relations *r, uint64_t *to, const uint64_t *set, uint64_t *matrix) {
    for (uint32_t word = 0; word < r->words; word++) {
        for (uint64_t left = set[word]; left; left &= left - 1) {
            add(r, to, row(r, matrix, word * 64 + (uint32_t)__builtin_ctzll(left)));
        }
    }
}

static void open_relations(relations *r, const graph *g) {
    uint32_t count = graph_length(g), words = (count + 63) / 64;
    size_t matrix = (size_t)count * words;
    *r = (relations){.g = g, .count = count, .words = words};
    vector_resize(&g->scratch->rows, (uint32_t)(ROWS_PER_EVENT * matrix + SINGLE_ROWS * words));
    uint64_t *room = g->scratch->rows.items;
    memset(room, 0, g->scratch->rows.count * sizeof *room);
    r->happens = room;
    r->pod = room + matrix;
    r->scb = room + 2 * matrix;
    r->eco = room + 3 * matrix;
    r->psc = room + 4 * matrix;
    r->through = room + 5 * matrix;
    r->sequential = room + 6 * matrix;
    r->fences = r->sequential + words;
    r->set = r->fences + words;
    r->other = r->set + words;
    CHECK(r->other + words == room + g->scratch->rows.count);
}

static bool is_access(const graph_event *e) {
    return e->kind == GRAPH_READ || e->kind == GRAPH_WRITE;
}

static uint32_t memory_of(const graph *g, const graph_event *e) {
    return vector_at(&g->scratch->objects, e->location).memory;
}

static bool at_one_location(const graph *g, const graph_event *a, const graph_event *b) {
    return is_access(a) && is_access(b) && memory_of(g, a) == memory_of(g, b);
}

/* Happens-before, and what of scb follows from it and from program order. */
static void relate_pair(relations *r, uint32_t a, uint32_t b) {
    const graph_event *first = graph_at(r->g, a), *second = graph_at(r->g, b);
    if (a == b || !graph_counts(r->g, graph_clock(r->g, b, CLOCK_HAPPENS), a)) {
        return;
    }
    bool same = at_one_location(r->g, first, second), own = first->thread == second->thread;
    put(row(r, r->happens, a), b);
    if (own && !same) {
        put(row(r, r->pod, a), b);
    }
    if (own || same) {
        put(row(r, r->scb, a), b);
    }
}

/* Coherence, from-reads, and with those who read it eco. */
static void relate_location(relations *r, const graph_location *l) {
    memset(r->set, 0, r->words * sizeof *r->set);   /* the writes from here on */
    memset(r->other, 0, r->words * sizeof *r->set); /* and their readers */
    for (uint32_t i = l->writes.count; i-- > 0;) {
        uint32_t write = vector_at(&l->writes, i);
        if (write != GRAPH_INITIAL) {
            add(r, row(r, r->scb, write), r->set);
            add(r, row(r, r->eco, write), r->set);
            add(r, row(r, r->eco, write), r->other);
        }
        for (uint32_t j = 0; j < l->reads.count; j++) {
            uint32_t read = vector_at(&l->reads, j);
            if (graph_at(r->g, read)->source == write) {
                add(r, row(r, r->scb, read), r->set);
                add(r, row(r, r->eco, read), r->set);
                add(r, row(r, r->eco, read), r->other);
            }
        }
        for (uint32_t j = 0; j < l->reads.count; j++) {
            uint32_t read = vector_at(&l->reads, j);
            if (graph_at(r->g, read)->source == write) {
                put(r->other, read);
                if (write != GRAPH_INITIAL) {
                    put(row(r, r->eco, write), read);
                }
            }
        }
        if (write != GRAPH_INITIAL) {
            put(r->set, write);
        }
    }
}

static void relate(relations *r) {
    const graph *g = r->g;
    for (uint32_t a = 0; a < r->count; a++) {
        for (uint32_t b = 0; b < r->count; b++) {
            relate_pair(r, a, b);
        }
        const graph_event *e = graph_at(g, a);
        if (graph_is_sequential(e)) {
            put(r->sequential, a);
            if (e->kind == GRAPH_FENCE) {
                put(r->fences, a);
            }
        }
    }
    for (uint32_t i = 0; i < g->locations.count; i++) {
        relate_location(r, &vector_at(&g->locations, i));
    }
    for (uint32_t a = 0; a < r->count; a++) {
        add_image(r, row(r, r->through, a), row(r, r->happens, a), r->pod);
    }
    for (uint32_t a = 0; a < r->count; a++) {
        add_image(r, row(r, r->scb, a), row(r, r->pod, a), r->through);
    }
}

/* Keeps of `reached` the seq_cst events, and adds the fences after any of it. */
static void add_ends(const relations *r, uint64_t *to, uint64_t *reached) {
    for (uint32_t i = 0; i < r->words; i++) {
        to[i] |= reached[i] & r->sequential[i];
    }
    memset(r->other, 0, r->words * sizeof *r->other);
    add_image(r, r->other, reached, r->happens);
    for (uint32_t i = 0; i < r->words; i++) {
        to[i] |= r->other[i] & r->fences[i];
    }
}

static void relate_fence(const relations *r, uint32_t a) {
    uint64_t *to = row(r, r->psc, a);
    const uint64_t *after = row(r, r->happens, a);
    memset(r->set, 0, r->words * sizeof *r->set);
    add_image(r, r->set, after, r->eco);
    memset(r->other, 0, r->words * sizeof *r->other);
    add_image(r, r->other, r->set, r->happens);
    for (uint32_t i = 0; i < r->words; i++) {
        to[i] |= (after[i] | r->other[i]) & r->fences[i];
    }
}

static void relate_sequential(const relations *r, uint32_t a) {
    memset(r->set, 0, r->words * sizeof *r->set);
    add(r, r->set, row(r, r->scb, a));
    if (has(r->fences, a)) {
        add_image(r, r->set, row(r, r->happens, a), r->scb);
    }
    add_ends(r, row(r, r->psc, a), r->set);
    if (has(r->fences, a)) {
        relate_fence(r, a);
    }
}

bool graph_is_sequenced(const graph *g) {
    relations r;
    open_relations(&r, g);
    relate(&r);
    for (uint32_t a = 0; a < r.count; a++) {
        if (has(r.sequential, a)) {
            relate_sequential(&r, a);
        }
    }
    for (uint32_t k = 0; k < r.count; k++) { /* Warshall */
        for (uint32_t a = 0; has(r.sequential, k) && a < r.count; a++) {
            if (has(row(&r, r.psc, a), k)) {
                add(&r, row(&r, r.psc, a), row(&r, r.psc, k));
            }
        }
    }
    for (uint32_t a = 0; a < r.count; a++) {
        if (has(row(&r, r.psc, a), a)) {
            return false;
        }
    }
    return true;
}
