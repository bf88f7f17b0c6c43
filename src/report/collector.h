/* The sink of the command line: counts, and keeps every distinct error with the schedule of its
 * first occurrence.
 *
 * Two errors are the same if kind, place and message are; two deadlocks, if the same operations
 * wait at the same places (in whichever threads). An error is kept as steps and becomes a finding
 * after the exploration. */
#ifndef HEDDLE_REPORT_COLLECTOR_H
#define HEDDLE_REPORT_COLLECTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/counters.h"
#include "base/text.h"
#include "base/vector.h"
#include "explore/exploration.h"
#include "report/finding.h"
#include "report/growth.h"
#include "report/trace.h"

/* Where a thread is blocked, and on what. */
typedef struct blocked_place {
    uint32_t location;
    uint32_t object;
    uint32_t is_thread; /* the object is the number of a thread */
} blocked_place;

typedef struct found_error {
    enum error_kind kind;
    uint32_t thread;
    uint32_t location;
    text message;
    VECTOR(blocked_place) places; /* sorted; of a deadlock, what waits where */
    step_list steps;
    bool passing; /* plain accesses are no steps of it; see found_error_expand */
    bool adapted; /* its steps come from a run before the exploration */
    uint64_t count;
    uint32_t doomed; /* steps after which it cannot be avoided; FINDING_NO_STEP */
    text hint;       /* which memory orders would prevent it (report/hint.h), or nothing */
} found_error;

typedef struct collector {
    sink sink; /* first: a collector is a sink */
    bool keep_going;
    uint32_t ignored; /* kinds of errors that do not count: 1 << kind */
    uint64_t ignored_counts[ERROR_KIND_COUNT];
    bool left_out;      /* what a bound of the strategy excludes */
    uint64_t remaining; /* UINT64_MAX less the executions: the count is kept twice */
    growth growth;
    VECTOR(found_error) errors;
    /* Called for each new error when it occurs. May be NULL. */
    void (*notice)(void *context, const found_error *, target *);
    void *context;
} collector;

/* The blocked threads of a deadlock that the target is in. */
void found_error_collect_places(found_error *, target *);

/* Variable and places of a data race, regardless of the threads and of which access came first: two
 * races are the same if these are. */
void found_error_describe_race(const found_error *, text *out);

/* The same kind at the same place with the same message, or the same deadlock. */
bool found_error_equal(const found_error *, const found_error *);

/* The counts are those of the process (base/witness.h), and start at 0. */
void collector_init(collector *, bool keep_going);
void collector_free(collector *);

/* Both counts of executions agree. */
bool collector_is_intact(const collector *);

void found_error_free(found_error *);
void found_error_sort_places(found_error *);

/* Hands over the errors found so far. */
void collector_forget_errors(collector *);

/* Without running the target. */
void found_error_bare_finding(const found_error *, target *, finding *);

/* Runs the target along the steps of the error, and makes steps of its plain accesses; they are
 * steps of the target from then on. Call this before the target runs anything else. */
void found_error_expand(found_error *, target *);

/* Runs the target along the steps of the error. */
void found_error_finding(const found_error *, target *, finding *);

#endif
