/* An execution graph: events of threads, which write each read reads from, and for each location
 * the order of its writes (coherence). Weak memory models are defined on such graphs; an
 * interleaving is only one way to run a graph.
 *
 * Events are numbered in the order in which they were added; a number is valid as long as no graph
 * is cut or copied. A graph grows and shrinks only at its end. Only the source of a read that has
 * no successor and the place of the latest write change, so that the clocks of an event, which
 * record what comes before it, are computed once. The rejected alternative, relations as matrices,
 * costs the square of the events at every step.
 *
 * A read-modify-write is two events, the read and the write, of one step of the program. A mutex is
 * a location, its lock a read-modify-write, its unlock a write. */
#ifndef HEDDLE_DPOR_GRAPH_GRAPH_H
#define HEDDLE_DPOR_GRAPH_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/settings.h"
#include "base/vector.h"
#include "core/operation.h"
#include "dpor/graph/graph_meaning.h"
#include "explore/step.h"

#define GRAPH_NONE    UINT32_MAX
#define GRAPH_INITIAL (UINT32_MAX - 1) /* the initial write */

/* Threads that may wait for a condition have smaller numbers, so that no set of them is
 * OPERATION_DESTROYED. */
enum { GRAPH_MOST_CAUSES = 16, GRAPH_MOST_WAITERS = 63 };

typedef struct graph_event {
    uint32_t thread;
    uint32_t index; /* number of earlier events of its thread */
    uint32_t step;  /* number of steps of its thread, including this one */
    uint8_t kind;   /* enum graph_kind */
    uint8_t operation, compare, order, failure; /* as in the operation */
    bool exclusive : 1; /* a read that is followed by a write of the same step, or that write */
    bool blocked : 1;   /* an await that does not hold: its thread has not taken the step */
    bool fails : 1;     /* it did not obtain what it tried to */
    bool spins : 1;     /* in a spin loop: an await of which the target knows whether it holds */
    bool undecided : 1; /* the target has not been asked yet */
    bool chooses : 1;   /* its operation has alternatives */
    bool last : 1;      /* a time-out: all events that existed come before it */
    /* It was there when one of its readers was added, or is before such a write: it is never
     * removed (TruSt's revisits, docs/ALGORITHMS.md). */
    bool frozen : 1;
    bool maximal : 1; /* it read from, or was, the latest write among the events before it */
    uint32_t location;
    uint32_t source;   /* of a read, and of the write of a read-modify-write */
    uint32_t position; /* of a write: in the coherence order of its location */
    uint32_t choice;   /* of an operation that is no access; of a signal: whom it wakes */
    uint32_t drained;  /* number of events of its thread that are visible to all threads before it
                          (TSO) */
    uint32_t
        causes[GRAPH_MOST_CAUSES]; /* events: its creation, the end of a thread that it joins */
    uint32_t cause_count;
    uint64_t value; /* written */
    uint64_t expected;
} graph_event;

/* What comes before an event, as numbers of events by thread. */
enum graph_clock {
    CLOCK_CAUSAL,  /* program order, reads-from, creation and join; with itself */
    CLOCK_BEFORE,  /* happens-before, before the event itself has read anything */
    CLOCK_HAPPENS, /* happens-before; with itself */
    CLOCK_SEEN,    /* what the thread's reads would have synchronised with, had they acquired */
    CLOCK_FENCE,   /* what happened before the latest release fence of the thread */
    CLOCK_MESSAGE, /* of a write: what happens before a read that acquires it */
    CLOCK_COUNT,
};

typedef VECTOR(uint32_t) graph_list;

typedef struct graph_location {
    uint64_t initial;
    graph_list writes; /* coherence order, from GRAPH_INITIAL on */
    graph_list reads;  /* in insertion order */
} graph_location;

/* The bytes of an object that are accessed together, from one initialisation to the next. */
typedef struct graph_object {
    uint32_t object, next; /* another location of the object + 1, or 0 */
    uint32_t generation;   /* target.h */
    uint32_t memory;       /* the location that represents all generations */
    uint8_t bytes;
    bool shared; /* a lock with several holders: an unlock changes their number */
} graph_object;

/* What all graphs of a strategy share: which objects are locations, and scratch space for
 * searches. */
typedef struct graph_scratch {
    VECTOR(graph_object) objects; /* by location */
    graph_list location_of;       /* by object: its latest location + 1, or 0 */
    VECTOR(bool) seen;
    graph_list stack;
    VECTOR(uint64_t) rows;
} graph_scratch;

typedef struct graph {
    enum memory_model model;
    graph_scratch *scratch;
    VECTOR(graph_event) events;
    VECTOR(uint32_t) clocks; /* for each event CLOCK_COUNT rows of `stride` counters */
    VECTOR(graph_location) locations;
    VECTOR(graph_list) threads; /* numbers of their events */
    uint32_t stride;
    uint32_t sequential; /* events with the order seq_cst */
} graph;

void graph_clear(graph *);
void graph_free(graph *);

static inline uint32_t graph_length(const graph *g) {
    return g->events.count;
}

static inline graph_event *graph_at(const graph *g, uint32_t id) {
    return &vector_at(&g->events, id);
}

static inline uint32_t *graph_clock(const graph *g, uint32_t id, enum graph_clock which) {
    return &vector_at(&g->clocks, ((size_t)id * CLOCK_COUNT + which) * g->stride);
}

/* The clock counts the event. */
static inline bool graph_counts(const graph *g, const uint32_t *clock, uint32_t id) {
    const graph_event *e = graph_at(g, id);
    return clock[e->thread] > e->index;
}

static inline graph_location *graph_location_of(const graph *g, uint32_t id) {
    return &vector_at(&g->locations, graph_at(g, id)->location);
}

static inline uint32_t graph_position(const graph *g, uint32_t write) {
    return write == GRAPH_INITIAL ? 0 : graph_at(g, write)->position;
}

static inline uint64_t graph_value(const graph *g, uint32_t location, uint32_t write) {
    return write == GRAPH_INITIAL ? vector_at(&g->locations, location).initial
                                  : graph_at(g, write)->value;
}

/* The write after another one in coherence order, or GRAPH_NONE. */
uint32_t graph_next_write(const graph *, uint32_t location, uint32_t write);

/* The latest event of a thread, or GRAPH_NONE. */
uint32_t graph_latest(const graph *, uint32_t thread);

/* Of an event that comes last: the event of another thread that comes right before it, or
 * GRAPH_NONE. */
uint32_t graph_before_last(const graph *, uint32_t id, uint32_t thread);

/* Room for that many threads. */
void graph_widen(graph *, uint32_t thread_count);

/* The number of a location; a new location gets one. */
uint32_t graph_find_location(graph *, uint32_t object, uint8_t bytes, uint32_t generation);

/* Appends the event as the next one of its thread, a write at its position. Computes its index,
 * step, clocks, and the effect of its order. Returns its number. */
uint32_t graph_add(graph *, const graph_event *);

/* Removes the events from `length` on. */
void graph_truncate(graph *, uint32_t length);

/* Moves the latest event, a write, to another place. */
void graph_move(graph *, uint32_t position);

/* Changes the source of a read without successors, and whether it continues and writes; if it
 * spins, it becomes undecided. */
void graph_read_from(graph *, uint32_t read, uint32_t source);

/* Decides an undecided read without successors: it continues, or is blocked. */
void graph_decide(graph *, uint32_t read, bool blocked);

/* Copies the events that are marked in `keep` (by number) to another graph. `numbers` gets their
 * new numbers. */
void graph_copy(graph *to, const graph *from, const bool *keep, graph_list *numbers);

/* --- graph_operation.c: what an operation means --- */

bool graph_takes(enum operation_kind); /* a lock or similar operation, which waits */
/* It would write after having read the value. */
bool graph_would_write(const graph_event *, uint64_t value);
/* It would continue. */
bool graph_would_pass(const graph_event *, uint64_t value);
/* It would continue without having obtained anything. */
bool graph_would_fail(const graph_event *, uint64_t value);
/* It wakes one of the waiting threads, which is its choice. */
static inline bool graph_signals(const graph_event *e) {
    return operation_has_role(e->operation, ROLE_WAKES_ONE);
}
/* Of a signal: whom it wakes if it reads the set of waiters, after a thread; GRAPH_NONE: nobody. */
uint32_t graph_next_waiter(uint64_t waiters, uint32_t after);
/* For an operation to which the program gives no memory order. */
void graph_set_orders(graph_event *);

bool graph_acquires(const graph *, const graph_event *);
bool graph_releases(const graph *, const graph_event *);
bool graph_is_sequential(const graph_event *);
/* On TSO: earlier writes of its thread are visible to all threads before it. */
bool graph_drains(const graph_event *);

/* --- graph_clocks.c --- */

void graph_compute_clocks(graph *, uint32_t id);

/* --- graph_coherence.c --- */

/* The position of the latest write of the location that is, or was read, before the clock. */
uint32_t graph_lowest(const graph *, uint32_t location, const uint32_t *clock);
/* A write at that position would not separate a read-modify-write from the write that it read. */
bool graph_place_is_free(const graph *, uint32_t location, uint32_t position);
/* The write was read by another read-modify-write that is never removed, or that comes before the
 * clock. */
bool graph_is_taken(const graph *, uint32_t location, uint32_t write, const uint32_t *clock);

/* --- graph_order.c, graph_sequential.c --- */

/* No path leads back from the write `next` to one of the two events (GRAPH_NONE: none), which are
 * ordered before it; under SC and TSO. */
bool graph_is_ordered(const graph *, uint32_t first, uint32_t second, uint32_t next);
/* The partial order of RC11's seq_cst events is acyclic. */
bool graph_is_sequenced(const graph *);

/* --- graph_maximal.c --- */

/* The event, which is not before the write, may be removed so that the write can be read
 * earlier. */
bool graph_may_remove(const graph *, uint32_t id, const uint32_t *before_write);
/* The write is that of a read-modify-write which has read the same as the lock: one of them comes
 * first. */
bool graph_gives_way(const graph_event *lock, const graph_event *write);

/* --- graph_revisits.c --- */

/* The reads that may read the latest event, a write, although they were added before it. */
void graph_find_revisits(const graph *, graph_list *reads);

/* Makes in `to` the graph in which `read` reads the latest write of `from`, without what came after
 * the read; a lock is removed instead. Returns the number of the read there, or GRAPH_NONE. */
uint32_t graph_revisit(graph *to, const graph *from, uint32_t read, graph_list *numbers);

/* The event that was added or changed leaves the graph consistent with its model. */
bool graph_is_consistent(const graph *, uint32_t read, uint32_t write);

/* --- graph_schedule.c --- */

typedef VECTOR(step) graph_steps;

/* The steps of the graph, in an order in which every read comes after what it reads; that of the
 * event `last`, if there is one, comes last. Awaits that are blocked or undecided, and a
 * read-modify-write whose write is missing, are left out. */
void graph_linearise(const graph *, uint32_t last, graph_steps *);

/* The events that a step with this event comes after in every order; those that they come after may
 * be left out. */
void graph_predecessors(const graph *, uint32_t id, graph_list *);

/* The steps of these events, in this order, in which each comes after its predecessors. */
void graph_arrange(const graph *, const graph_list *ids, graph_steps *);

/* How many writes of its location are later in coherence order than the write: the choice of the
 * step that reads it, or writes right after it. */
uint32_t graph_newer(const graph *, uint32_t location, uint32_t write);

#endif
