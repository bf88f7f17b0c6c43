/* The search for all execution graphs of a program (TruSt: Kokologiannakis, Marmanis, Gladstein,
 * Vafeiadis, POPL 2022): each graph that is consistent with the memory model once.
 *
 * The program runs along one graph at a time. A new event takes the latest write; its alternatives
 * are work items, as are the reads that could read a new write. An item records how long the graph
 * was and what is to be added or changed; the graph is copied only if a read changes, and such
 * copies are nested, so that there are at most as many copies as writes. */
#ifndef HEDDLE_DPOR_GRAPH_SEARCH_H
#define HEDDLE_DPOR_GRAPH_SEARCH_H

#include "dpor/graph/graph.h"
#include "explore/exploration.h"

enum graph_work { WORK_ADD, WORK_REVISIT, WORK_MOVE, WORK_WAKE };

typedef struct graph_item {
    uint32_t level, length; /* of the graph that it belongs to */
    uint8_t work;           /* enum graph_work */
    uint32_t read;          /* the event that reads the latest one; not for WORK_ADD */
    uint32_t place;    /* WORK_MOVE: the new place; WORK_WAKE: the thread that the signal wakes */
    graph_event event; /* WORK_ADD */
} graph_item;

typedef struct graph_search {
    strategy base;
    VECTOR(graph) levels; /* the graphs from which the current one was copied, and that */
    uint32_t depth;       /* how many of them are in use */
    VECTOR(graph_item) items;
    graph_steps script; /* the steps of the current graph */
    graph_steps planned;
    graph_list reads, numbers;
    graph_scratch scratch;
    uint32_t pending; /* a read that is undecided, or whose write is to be added, or GRAPH_NONE */
    /* How many steps of the script come before a lock that may poll, or GRAPH_NONE. */
    uint32_t asked;
} graph_search;

/* The functions of the strategy. */
void graph_search_init(strategy *);
void graph_search_free(strategy *);
enum decision graph_search_choose(strategy *, step *);
void graph_search_stepped(strategy *);
void graph_search_ended(strategy *, enum decision);
bool graph_search_backtrack(strategy *);

/* Replaces what comes after the length of the item (WORK_ADD) by its event. False: the graph is not
 * consistent. */
bool graph_search_add(graph_search *, const graph_item *);

/* --- graph_given.c --- */

extern const strategy_given graph_given;

/* --- graph_extension.c --- */

static inline graph *graph_search_present(graph_search *s) {
    return &vector_at(&s->levels, s->depth - 1);
}

/* Extends the current graph by the next step of the thread, and pushes its alternatives.
 * DECISION_STEP with the step; DECISION_NOTHING if there is none (the thread waits), and
 * DECISION_REDUNDANT if the graph is not consistent. */
enum decision graph_search_extend(graph_search *, uint32_t thread, const operation *, step *);

/* Decides the read that is pending, and adds its write if it has one. As graph_search_extend. */
enum decision graph_search_complete(graph_search *, step *);

/* Adds the write of a read-modify-write, and pushes the reads that it could be read by. False: the
 * graph is not consistent. */
bool graph_search_add_write(graph_search *, uint32_t read, uint64_t value);

/* The lock, which is blocked forever, could have come before the one that holds the mutex. */
void graph_search_try_lock(graph_search *, uint32_t thread, const operation *);

/* The operation, described in words, cannot be part of a graph. */
const char *graph_search_unsupported(graph_search *, uint32_t thread, const operation *);

#endif
