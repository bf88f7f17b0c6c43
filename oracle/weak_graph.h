/* Execution graphs by their definition: events, what reads from what, and for each cell the order
 * of its writes. All of them are found by adding events in every order, with every source and every
 * place, and keeping what the axioms of the memory model allow (weak_axioms.c).
 *
 * A read-modify-write is one event here. */
#ifndef HEDDLE_ORACLE_WEAK_GRAPH_H
#define HEDDLE_ORACLE_WEAK_GRAPH_H

#include "oracle/weak_thread.h"

enum { WEAK_EVENTS = 30, WEAK_INITIAL = 31 };

typedef struct weak_event {
    uint8_t thread, index;
    bool reads, writes, fence, plain;
    bool creates;   /* a spawn that starts its thread */
    bool drains;    /* on TSO: all stores before it are visible */
    uint8_t order;  /* enum access_order */
    uint8_t kind;   /* enum instruction_kind */
    uint8_t cell;   /* or the thread of spawn and join */
    uint8_t source; /* of a read: an event, or WEAK_INITIAL */
    uint8_t waker;  /* of the lock at the end of a wait: the event that has woken it, + 1 */
    uint8_t chosen; /* of a signal: the thread that it wakes, + 1 */
    int64_t read, written;
} weak_event;

typedef struct weak_cell {
    uint8_t count;
    uint8_t writes[WEAK_EVENTS]; /* the initial one is not among them */
} weak_cell;

typedef struct weak_graph {
    const program *program;
    uint32_t count;
    weak_event events[WEAK_EVENTS];
    weak_cell cells[WEAK_CELLS];
    weak_thread threads[WEAK_THREADS];
    uint8_t lengths[WEAK_THREADS];
    bool races;     /* two plain accesses; what comes then is not followed */
    bool unguarded; /* a plain access without a lock, where threads have loops */
} weak_graph;

/* `patience`: how often threads go round in loops that look at plain variables before they wait. */
void weak_graph_init(weak_graph *, const program *, uint32_t patience);

/* Adds what the thread does next. `position`: of a read, which write of the cell; of a write, that
 * it comes after; of a choice, what it gives; of a signal, whom it wakes. False: it cannot be, or
 * there are too many events. */
bool weak_graph_add(weak_graph *, uint32_t thread, uint32_t position);

enum weak_ending {
    WEAK_COMPLETE,
    WEAK_ASSUME_BLOCKED,
    WEAK_DEADLOCK,
    WEAK_LIVELOCK,
    WEAK_ARTIFACT, /* some thread waits in a loop that it could leave */
};
enum weak_ending weak_graph_ending(const weak_graph *);

hash weak_graph_hash(const weak_graph *);

/* --- weak_axioms.c --- */

bool weak_graph_consistent(const weak_graph *, enum memory_model);

/* C11's happens-before, whatever the model. */
bool weak_graph_happens(const weak_graph *, uint32_t before, uint32_t after);

/* --- weak_plain.c --- */

/* A plain access is an event as soon as its thread comes to it; it reads, or comes after, the
 * latest write, or it races. */
weak_plain weak_graph_plain(weak_graph *);
/* What a thread would read plainly now, or any variable or object holds. */
weak_plain weak_graph_latest(const weak_graph *);

/* --- all of them --- */

typedef struct weak_brute {
    hash_table graphs; /* value: enum weak_ending */
    hash_table outcomes;
    hash_table visited;
    bool complete;
    bool races, unguarded; /* in some graph */
} weak_brute;

typedef struct weak_request {
    enum memory_model model;
    uint32_t limit, patience;
} weak_request;

void weak_brute_run(weak_brute *, const program *, const weak_request *);
void weak_brute_free(weak_brute *);

/* --- weak_buffers.c --- */

/* What the program results in on a machine in which every thread has a buffer of stores; false if
 * there are more states than `limit`. */
bool weak_buffers_run(const program *, uint32_t limit, hash_table *outcomes);

#endif
