/* Observers (TACAS 2018): two writes are ordered only if somebody reads the later one before it is
 * overwritten. Happens-before is then a matter of the whole execution, not of its prefix, so it is
 * computed at the end (observed_order), and sleep sets are replaced by watches.
 *
 * A watch answers Definition 3 (redundant sequences) in one pass over the sequence. A watched step
 * is one that was explored to its end after some prefix. Going on from there,
 * - an event that is ordered with it unconditionally ends the watch;
 * - a write that is ordered with it only if observed makes it conditional: should the step occur
 *   later, it has a predecessor iff its own write is then observed;
 * - if the step occurs and is not conditional, the sequence is redundant; if it is conditional, it
 *   owes an observation: its write has to be read before it is overwritten;
 * - a sequence that ends with a watched step, or with an observation owed, is redundant. */
#ifndef HEDDLE_CORE_OBSERVED_H
#define HEDDLE_CORE_OBSERVED_H

#include "core/execution.h"

enum relation {
    RELATION_NONE,
    RELATION_OBSERVED, /* ordered iff the later one is observed */
    RELATION_ORDERED,
};

/* How two steps of different threads are related: only writes of the same bytes by steps that write
 * exactly the same, and do not read what the other writes, wait for an observer. */
enum relation observed_relation(footprint a, footprint b);

/* The writes among the accesses. */
footprint footprint_writes(footprint);
/* The step reads some byte of the writes. */
bool footprint_reads(footprint step, footprint writes);
/* What of the writes the step leaves as it is. */
footprint footprint_remaining(footprint writes, footprint step);

/* ---- happens-before of a whole execution ---- */

typedef struct observed_order {
    VECTOR(uint32_t) clocks; /* a row of the execution's stride per event */
    VECTOR(bool) observed;   /* its write is read before it is overwritten */
} observed_order;

void observed_order_free(observed_order *);
void observed_order_compute(observed_order *, const execution *);

static inline const uint32_t *observed_clock(const observed_order *o, const execution *e,
                                             uint32_t position) {
    return &o->clocks.items[(size_t)position * e->stride];
}

static inline bool observed_before(const observed_order *o, const execution *e, uint32_t a,
                                   uint32_t b) {
    const event *first = execution_event(e, a);
    return observed_clock(o, e, b)[first->thread] > first->index;
}

/* ---- watches ---- */

typedef struct watched_step {
    uint32_t thread;
    uint32_t choice;
    footprint footprint;
    bool conditional;
} watched_step;

/* The watches of one prefix, or of a sequence on trial. Debts are footprints of writes. */
typedef struct watch {
    VECTOR(watched_step) steps;
    VECTOR(footprint) debts;
} watch;

void watch_free(watch *);
void watch_clear(watch *);
void watch_copy(watch *, const watch *from);
void watch_add(watch *, uint32_t thread, uint32_t choice, footprint);

/* A step happens. True: whatever follows, it is redundant. */
bool watch_pass(watch *, uint32_t thread, uint32_t choice, footprint);

/* Nothing follows any more: it is redundant as it stands. */
static inline bool watch_left(const watch *w) {
    return w->steps.count || w->debts.count;
}

#endif
