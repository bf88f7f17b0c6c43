/* The happens-before relation of a schedule, from its definition, and the canonical form of its
 * equivalence class.
 *
 * Event a comes directly before a later event b if they are of one thread, if a cell that one of
 * them writes is accessed by the other, or if b has an edge from a (spawn, join, waker, or a is the
 * send of the message that b takes), if both send to one mailbox, or if a is a receive that found
 * nothing and b sends what it could have taken. The
 * closure is kept as one row of bits per event, found by comparing with all earlier events: O(n^2)
 * and without any notion of clocks, last writes or chains, which are what it has to check.
 *
 * Two schedules are equivalent iff they have the same events (thread, index, kind, accesses,
 * choice, value) with the same sets of predecessors. The canonical form is that set of events; its
 * hash is a sum over the events, so it does not depend on the order of the schedule and grows by
 * one term per step. */
#ifndef HEDDLE_ORACLE_TRACE_H
#define HEDDLE_ORACLE_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/hash.h"
#include "oracle/machine.h"

typedef struct trace {
    uint32_t count;
    machine_event events[MACHINE_STEPS];
    uint64_t before[MACHINE_STEPS]; /* positions of the events that happen before */
    hash hashes[MACHINE_STEPS];     /* of the canonical form of the events up to this one */
} trace;

void trace_clear(trace *);
void trace_append(trace *, const machine_event *);

static inline void trace_truncate(trace *t, uint32_t count) {
    CHECK(count <= t->count);
    t->count = count;
}

/* The equivalence class of the schedule. */
static inline hash trace_hash(const trace *t) {
    return t->count ? t->hashes[t->count - 1] : (hash){0, 0};
}

/* Event a, earlier in the schedule, comes directly before b. */
bool trace_ordered(const machine_event *a, const machine_event *b);

/* Of an event of the schedule with a set of predecessors (positions): a term of a canonical form.
 */
hash trace_event_hash(const trace *, const machine_event *, uint64_t before);

/* What each thread did, step by step: kinds and cells, regardless of values and of order between
 * threads. */
hash trace_deeds(const trace *);

/* What the threads of the program could observe: per thread the values, where and how it stopped,
 * its registers, its error. */
hash trace_outcome(const trace *, const machine *at_its_end);

/* Where and how each thread stopped, and its named registers. */
hash trace_result(const machine *at_its_end);

/* The state together with where and how each thread stopped and its named registers. */
hash trace_final(const machine *at_its_end);

/* Memory, owners of mutexes and what is left in mailboxes. */
hash trace_state(const machine *at_its_end);

#endif
