/* An execution sequence E with its happens-before relation, as vector clocks.
 *
 * Events are appended at the end and removed from the end. Event i happens before event j iff the
 * clock of j counts event i: clock(j)[thread(i)] > index(i), one load and one comparison. A clock
 * counts, per thread, the events that happen before the event or are the event itself.
 *
 * Per object the accesses form a chain from the latest to the earliest; appending an event walks it
 * back as far as the last writes of the bytes touched, so that its cost does not depend on the
 * length of the execution. The rejected alternative, a table of last accesses per object, has to be
 * saved at every node for backtracking; a chain is undone by popping. */
#ifndef HEDDLE_CORE_EXECUTION_H
#define HEDDLE_CORE_EXECUTION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vector.h"
#include "core/clock.h"
#include "core/operation.h"

#define POSITION_NONE UINT32_MAX

/* The size of a cache line. */
typedef struct event {
    uint32_t thread;
    uint32_t index; /* number of earlier events of its thread */
    uint32_t choice;
    uint8_t kind;  /* enum operation_kind */
    uint8_t flags; /* enum operation_flag, as pending */
    uint8_t compare;
    bool acquired : 1; /* its mutex was free before it */
    bool meets : 1; /* it conflicts with an event that does not happen before it by its thread and
                       its causes alone */
    footprint footprint;
    uint64_t value;
    uint64_t expected;
    uint32_t object;
    uint32_t location;
    uint32_t first_link;                /* in execution.links */
    uint32_t first_cause;               /* in execution.causes */
    uint16_t cause_count, supply_count; /* as in the operation */
} event;

/* One access in the chain of its object. */
typedef struct access_link {
    uint32_t position;       /* of the event */
    uint32_t previous;       /* link of the access before, of any mode */
    uint32_t previous_write; /* link of the latest writing access before */
    uint32_t object;
    uint8_t bytes;
    uint8_t mode;
} access_link;

/* What the object of a link held before and after the event. */
typedef struct access_values {
    uint64_t before, after;
} access_values;

typedef struct thread_history {
    VECTOR(uint32_t) positions; /* of its events, by index */
} thread_history;

typedef struct execution {
    VECTOR(event) events;
    VECTOR(cause) causes;
    VECTOR(access_link) links;
    VECTOR(access_values) values; /* by link; empty unless values are recorded */
    VECTOR(uint32_t) heads;       /* object -> latest link + 1, or 0 */
    VECTOR(uint32_t) clocks;      /* a row of `stride` counters per event */
    VECTOR(thread_history) threads;
    uint32_t stride; /* room for threads in a clock */
} execution;

void execution_init(execution *);
void execution_free(execution *);

static inline uint32_t execution_length(const execution *e) {
    return e->events.count;
}

static inline const event *execution_event(const execution *e, uint32_t position) {
    DEBUG_CHECK(position < e->events.count);
    return &vector_at_fast(&e->events, position);
}

static inline const uint32_t *execution_clock(const execution *e, uint32_t position) {
    DEBUG_CHECK(position < e->events.count);
    return &vector_at_fast(&e->clocks, (size_t)position * e->stride);
}

/* Threads numbered so far, whether they have taken a step or not. */
static inline uint32_t execution_thread_count(const execution *e) {
    return e->threads.count;
}

/* Number of events of a thread, also of one that has not been seen yet. */
static inline uint32_t execution_thread_events(const execution *e, uint32_t thread) {
    return thread < e->threads.count ? vector_at_fast(&e->threads, thread).positions.count : 0;
}

static inline uint32_t execution_position(const execution *e, uint32_t thread, uint32_t index) {
    DEBUG_CHECK(index < execution_thread_events(e, thread));
    return vector_at_fast(&vector_at_fast(&e->threads, thread).positions, index);
}

/* Event a happens before event b, or is it. */
static inline bool execution_before(const execution *e, uint32_t a, uint32_t b) {
    const event *first = execution_event(e, a);
    return execution_clock(e, b)[first->thread] > first->index;
}

/* How many events of a thread come before `position`, which is one of its events or the length of
 * the execution. */
static inline uint32_t execution_index_at(const execution *e, uint32_t position, uint32_t thread) {
    return position < e->events.count ? execution_event(e, position)->index
                                      : execution_thread_events(e, thread);
}

/* The latest link of an object (link + 1, or 0) before access i of the event at `position`, or at
 * the end of the execution if that is its length. */
static inline uint32_t execution_chain(const execution *e, uint32_t position, uint32_t i,
                                       uint32_t object) {
    if (position < e->events.count) {
        return vector_at_fast(&e->links, execution_event(e, position)->first_link + i).previous;
    }
    return object < e->heads.count ? vector_at_fast(&e->heads, object) : 0;
}

/* The previous link in the chain of `at` that an access of this mode may conflict with: a read
 * skips other reads, so that a read among thousands of reads costs no more than among writes. */
static inline uint32_t execution_conflicting_link(const execution *e, uint32_t at, uint8_t mode) {
    const access_link *link = &vector_at_fast(&e->links, at - 1);
    return mode & ACCESS_WRITE ? link->previous : link->previous_write;
}

/* The operation that became the event at `position`. */
operation execution_operation(const execution *, uint32_t position);

/* Makes room for that many threads. */
void execution_reserve_threads(execution *, uint32_t thread_count);

/* Appends a step of `thread` that had `operation` pending. Returns its position. */
uint32_t execution_append(execution *, uint32_t thread, uint32_t choice,
                          const operation *operation);

/* Removes the events from `length` on. */
void execution_truncate(execution *, uint32_t length);

/* Events, histories, chains and clocks are consistent; for debug builds and tests. */
void execution_check_links(const execution *);

/* Compares all clocks with the closure of the conflict relation; for debug builds and tests. */
void execution_check(const execution *);

#endif
