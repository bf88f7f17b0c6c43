/* What each kind of operation means in an execution graph: one row per kind. The exploration of
 * graphs knows nothing else about kinds. A kind without a row is refused by name. */
#ifndef HEDDLE_DPOR_GRAPH_GRAPH_MEANING_H
#define HEDDLE_DPOR_GRAPH_GRAPH_MEANING_H

#include "core/operation.h"

enum graph_kind { GRAPH_READ, GRAPH_WRITE, GRAPH_FENCE, GRAPH_OTHER };

/* When a graph can have an event for the operation. */
enum graph_support {
    SUPPORT_NEVER,
    SUPPORT_ALWAYS,
    SUPPORT_VERSIONS, /* the target keeps versions of what it accesses */
    SUPPORT_SINGLE,   /* it accesses one object */
    SUPPORT_WAITER,   /* the same; sets of waiters have room for the thread */
    SUPPORT_READER, /* the same; it only reads, so that other such operations may come in any order
                     */
    SUPPORT_LAST,   /* it comes because no other thread can continue */
    SUPPORT_LIVES,  /* it accesses one object, or the target distinguishes the object's lifetimes
                     */
};

/* Of the value that the event reads. */
enum graph_condition {
    WHEN_ANY,
    WHEN_NONE,
    WHEN_EXPECTED,  /* it is what a compare-and-swap expects */
    WHEN_AWAITED,   /* it is what an await waits for */
    WHEN_ZERO,      /* free */
    WHEN_UNHELD,    /* free, or destroyed: then it is an error, which changes nothing */
    WHEN_POSITIVE,  /* a semaphore that is not 0 */
    WHEN_UNWRITTEN, /* not negative: no writer has the read-write lock */
    WHEN_SETTLED,   /* not 1: no thread is initialising */
};

/* Which memory orders the event has. */
enum graph_orders {
    ORDERS_OWN, /* those of the operation */
    ORDERS_NONE,
    ORDERS_ACQUIRE, /* if it does not fail */
    ORDERS_RELEASE,
};

enum graph_trait {
    TRAIT_TAKES = 1,      /* a lock or similar operation, which waits */
    TRAIT_DRAINS = 2,     /* on TSO, all earlier writes are visible when it has been done */
    TRAIT_WIDE = 4,       /* it may access several objects */
    TRAIT_RECURSIVE = 8,  /* some objects can be locked again by their owner, which is refused */
    TRAIT_SHARED = 16,    /* several may hold its object */
    TRAIT_UNORDERED = 32, /* what let it continue does not happen before it */
    TRAIT_BEGINS = 64,    /* no access if the target distinguishes lifetimes of objects */
};

typedef struct graph_meaning {
    uint8_t kind;     /* enum graph_kind */
    uint8_t support;  /* enum graph_support */
    uint8_t passes;   /* enum graph_condition: it continues */
    uint8_t succeeds; /* the same: it does not fail */
    uint8_t writes;   /* the same: a read that also writes */
    uint8_t orders;   /* enum graph_orders */
    uint8_t traits;   /* enum graph_trait */
} graph_meaning;

/* The row of a kind. */
const graph_meaning *graph_meaning_of(enum operation_kind);

#endif
