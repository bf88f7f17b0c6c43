/* Observers (TACAS 2018): two writes are ordered only if the later one is read before it is
 * overwritten. Happens-before then depends on the whole execution, not on a prefix, so it is
 * computed at the end. What replaces sleep sets is in watch.h. */
#ifndef HEDDLE_DPOR_OBSERVED_H
#define HEDDLE_DPOR_OBSERVED_H

#include "core/execution.h"
#include "dpor/messages.h"

enum relation {
    RELATION_NONE,
    RELATION_OBSERVED, /* ordered iff the later one is observed */
    RELATION_MAIL,     /* two sends to one mailbox: ordered as its receives demand */
    RELATION_ORDERED,
};

/* How two steps of different threads are related: only writes of the same bytes depend on an
 * observer, by steps that write exactly the same bytes and do not read what the other writes. */
enum relation observed_relation_of_conflict(footprint a, footprint b);

static inline enum relation observed_relation(footprint a, footprint b) {
    return footprint_conflict(a, b) ? observed_relation_of_conflict(a, b) : RELATION_NONE;
}

/* The writes among the accesses. */
footprint footprint_writes(footprint);
/* The step reads some byte of the writes. */
bool footprint_reads(footprint step, footprint writes);
/* The writes that the step does not overwrite. */
footprint footprint_remaining(footprint writes, footprint step);

/* ---- happens-before of a whole execution ---- */

/* What later events reveal about an event. */
typedef struct event_future {
    uint32_t receiver; /* of a send: the position of the receive that takes it, or none */
    bool observed;     /* its write is read before it is overwritten */
} event_future;

typedef VECTOR(event_future) event_futures;

typedef struct observed_order {
    VECTOR(uint32_t) clocks; /* a row of the execution's stride per event */
    event_futures futures;   /* of each event */
    VECTOR(bool) read;       /* by object: some event reads it */
    VECTOR(uint32_t) sends;  /* positions of all sends */
    message_list mail;
    /* Of the previous execution: */
    event_futures old_futures;
    uint32_t stride;
} observed_order;

void observed_order_free(observed_order *);
/* The first `same` events are those of the execution for which the order was last computed. */
void observed_order_compute(observed_order *, const execution *, uint32_t same);

/* A receive takes the first of two sends, and would have taken the second as well. */
bool observed_mail_ordered(const observed_order *, const execution *, uint32_t first,
                           uint32_t second);

static inline const uint32_t *observed_clock(const observed_order *o, const execution *e,
                                             uint32_t position) {
    return &vector_at(&o->clocks, (size_t)position * e->stride);
}

static inline bool observed_before(const observed_order *o, const execution *e, uint32_t a,
                                   uint32_t b) {
    const event *first = execution_event(e, a);
    return observed_clock(o, e, b)[first->thread] > first->index;
}

#endif
