/* RC11's seq_cst events (Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017, section 4): the partial
 * order psc, which they have to agree with, is acyclic.
 *
 *   scb = sb | pod; hb; pod | hb at one location | co | fr     (pod: sb between different
 * locations) psc = ([SC] | [fence]; hb?); scb; ([SC] | hb?; [fence]) | [fence]; (hb | hb; eco; hb);
 * [fence]
 *
 * A set of events is a row of bits, a relation a row for each event: of those that come before it,
 * because clocks give what happens before an event. All relations are therefore inverted, which
 * changes neither the formulas nor the result. */
#include <string.h>

#include "dpor/graph/graph.h"

typedef struct relations {
    const graph *g;
    uint32_t count, words;
    bool has_fences;
    uint64_t *happens, *pod, *scb, *eco, *psc; /* a row for each event */
    uint64_t *through;                         /* hb; pod */
    uint64_t *own;                             /* its thread's events up to it */
    uint64_t *reached;                         /* own?; pod */
    uint64_t *accesses;                        /* a row for each location: all accesses there */
    uint64_t *sequential, *fences;             /* sets */
    uint64_t *set, *other;                     /* scratch space */
} relations;

enum { ROWS_PER_EVENT = 8, SINGLE_ROWS = 4 };

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
    size_t matrix = (size_t)count * words, locations = (size_t)g->locations.count * words;
    *r = (relations){.g = g, .count = count, .words = words};
    vector_resize(&g->scratch->rows,
                  (uint32_t)(ROWS_PER_EVENT * matrix + locations + SINGLE_ROWS * words));
    uint64_t *room = g->scratch->rows.items;
    memset(room, 0, g->scratch->rows.count * sizeof *room);
    r->happens = room;
    r->pod = room + matrix;
    r->scb = room + 2 * matrix;
    r->eco = room + 3 * matrix;
    r->psc = room + 4 * matrix;
    r->through = room + 5 * matrix;
    r->own = room + 6 * matrix;
    r->reached = room + 7 * matrix;
    r->accesses = room + 8 * matrix;
    r->sequential = r->accesses + locations;
    r->fences = r->sequential + words;
    r->set = r->fences + words;
    r->other = r->set + words;
    CHECK(r->other + words == room + g->scratch->rows.count);
}

static bool is_access(const graph_event *e) {
    return e->kind == GRAPH_READ || e->kind == GRAPH_WRITE;
}

/* All accesses to the memory of the event; every generation of that is a location. */
static uint64_t *accesses_of(const relations *r, const graph_event *e) {
    return row(r, r->accesses, vector_at(&r->g->scratch->objects, e->location).memory);
}

static void note_event(relations *r, uint32_t id) {
    const graph_event *e = graph_at(r->g, id);
    if (is_access(e)) {
        put(accesses_of(r, e), id);
    }
    if (graph_is_sequential(e)) {
        put(r->sequential, id);
        if (e->kind == GRAPH_FENCE) {
            put(r->fences, id);
            r->has_fences = true;
        }
    }
}

static void relate_thread(relations *r, const graph_list *own) {
    for (uint32_t i = 0; i < own->count; i++) {
        uint64_t *upto = row(r, r->own, vector_at(own, i));
        if (i) {
            add(r, upto, row(r, r->own, vector_at(own, i - 1)));
        }
        put(upto, vector_at(own, i));
    }
}

/* Happens-before, and the part of scb that follows from it and from program order. */
static void relate_event(relations *r, uint32_t id) {
    const graph_event *e = graph_at(r->g, id);
    const uint32_t *clock = graph_clock(r->g, id, CLOCK_HAPPENS);
    uint64_t *happens = row(r, r->happens, id), *own = row(r, r->own, id);
    for (uint32_t t = 0; t < r->g->threads.count; t++) {
        if (clock[t]) {
            add(r, happens, row(r, r->own, vector_at(&vector_at(&r->g->threads, t), clock[t] - 1)));
        }
    }
    happens[id / 64] &= ~((uint64_t)1 << id % 64);
    const uint64_t *there = is_access(e) ? accesses_of(r, e) : NULL;
    for (uint32_t i = 0; i < r->words; i++) {
        uint64_t before = own[i] & happens[i], same = there ? there[i] : 0;
        row(r, r->pod, id)[i] = before & ~same;
        row(r, r->scb, id)[i] = before | (happens[i] & same);
    }
}

/* hb; pod. Later events of a thread reach by pod what an earlier one reaches, so the latest event
 * of each thread that happens before is enough. */
static void relate_through(relations *r, uint32_t id) {
    const graph_event *e = graph_at(r->g, id);
    const uint32_t *clock = graph_clock(r->g, id, CLOCK_HAPPENS);
    for (uint32_t t = 0; t < r->g->threads.count; t++) {
        uint32_t known = t == e->thread ? e->index : clock[t];
        if (known) {
            uint32_t latest = vector_at(&vector_at(&r->g->threads, t), known - 1);
            add(r, row(r, r->through, id), row(r, r->reached, latest));
        }
    }
}

/* pod; hb; pod: what happens before an event happens before those after it in its thread. */
static void add_through(relations *r, uint32_t id) {
    const graph_event *e = graph_at(r->g, id);
    const graph_list *own = &vector_at(&r->g->threads, e->thread);
    for (uint32_t i = e->index; i-- > 0;) {
        if (has(row(r, r->pod, id), vector_at(own, i))) {
            add(r, row(r, r->scb, id), row(r, r->through, vector_at(own, i)));
            return;
        }
    }
}

/* By pod, from it or from an event before it in its thread. */
static void relate_reached(relations *r, const graph_list *own) {
    for (uint32_t i = 0; i < own->count; i++) {
        uint64_t *reached = row(r, r->reached, vector_at(own, i));
        add(r, reached, row(r, r->pod, vector_at(own, i)));
        if (i) {
            add(r, reached, row(r, r->reached, vector_at(own, i - 1)));
        }
    }
}

/* The reads of a write; what comes before that write by eco comes before them. */
static void relate_readers(relations *r, const graph_location *l, uint32_t write) {
    for (uint32_t j = 0; j < l->reads.count; j++) {
        uint32_t read = vector_at(&l->reads, j);
        if (graph_at(r->g, read)->source == write) {
            add(r, row(r, r->eco, read), r->set);
            if (write != GRAPH_INITIAL) {
                put(row(r, r->eco, read), write);
            }
        }
    }
}

/* Coherence, from-reads, and with the readers of each write eco. */
static void relate_location(relations *r, const graph_location *l) {
    memset(r->set, 0, r->words * sizeof *r->set); /* the writes up to here, and their readers */
    for (uint32_t i = 0; i < l->writes.count; i++) {
        uint32_t write = vector_at(&l->writes, i);
        if (write != GRAPH_INITIAL) {
            add(r, row(r, r->scb, write), r->set);
            add(r, row(r, r->eco, write), r->set);
        }
        relate_readers(r, l, write);
        for (uint32_t j = 0; j < l->reads.count; j++) {
            uint32_t read = vector_at(&l->reads, j);
            if (graph_at(r->g, read)->source == write) {
                put(r->set, read);
            }
        }
        if (write != GRAPH_INITIAL) {
            put(r->set, write);
        }
    }
}

static void relate(relations *r) {
    const graph *g = r->g;
    for (uint32_t id = 0; id < r->count; id++) {
        note_event(r, id);
    }
    for (uint32_t t = 0; t < g->threads.count; t++) {
        relate_thread(r, &vector_at(&g->threads, t));
    }
    for (uint32_t id = 0; id < r->count; id++) {
        relate_event(r, id);
    }
    for (uint32_t t = 0; t < g->threads.count; t++) {
        relate_reached(r, &vector_at(&g->threads, t));
    }
    for (uint32_t i = 0; i < g->locations.count; i++) {
        relate_location(r, &vector_at(&g->locations, i));
    }
    for (uint32_t id = 0; id < r->count; id++) {
        relate_through(r, id);
    }
    for (uint32_t id = 0; id < r->count; id++) {
        add_through(r, id);
    }
}

/* Keeps of `reached` the seq_cst events, and adds the fences after any of it. */
static void add_ends(const relations *r, uint64_t *to, uint64_t *reached) {
    for (uint32_t i = 0; i < r->words; i++) {
        to[i] |= reached[i] & r->sequential[i];
    }
    if (!r->has_fences) {
        return;
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

/* Warshall's algorithm, over the seq_cst events alone. */
static bool is_acyclic(const relations *r) {
    for (uint32_t k = 0; k < r->count; k++) {
        const uint64_t *reached = row(r, r->psc, k);
        for (uint32_t a = 0; has(r->sequential, k) && a < r->count; a++) {
            if (has(row(r, r->psc, a), k)) {
                add(r, row(r, r->psc, a), reached);
            }
        }
        if (has(reached, k)) {
            return false;
        }
    }
    return true;
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
    return is_acyclic(&r);
}
