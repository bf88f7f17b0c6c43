/* The sink of the command line: counts, and keeps every distinct error with the schedule of its
 * first occurrence.
 *
 * Two errors are the same if kind, place and message are; two deadlocks, if the same operations at
 * the same places wait (whichever threads stand there). An error is kept as steps and becomes a
 * finding when the exploration is over. */
#ifndef HEDDLE_REPORT_COLLECTOR_H
#define HEDDLE_REPORT_COLLECTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/counters.h"
#include "base/text.h"
#include "base/vector.h"
#include "explore/exploration.h"
#include "report/finding.h"

typedef struct found_error {
    enum error_kind kind;
    uint32_t thread;
    uint32_t location;
    text message;
    VECTOR(uint64_t) places; /* sorted; of a deadlock, what waits where */
    VECTOR(step) steps;
    uint64_t count;
} found_error;

typedef struct collector {
    sink sink; /* first: a collector is a sink */
    bool keep_going;
    uint32_t ignored; /* kinds of errors that do not count: 1 << kind */
    uint64_t ignored_counts[ERROR_KIND_COUNT];
    uint64_t remaining; /* UINT64_MAX less the executions: the count is kept twice */
    VECTOR(found_error) errors;
    /* Is told of each new error at the moment that it occurs. May be NULL. */
    void (*notice)(void *context, const found_error *, target *);
    void *context;
} collector;

/* The counts are those of the process (base/witness.h), from 0 on. */
void collector_init(collector *, bool keep_going);
void collector_free(collector *);

/* Both counts of executions agree. */
bool collector_is_intact(const collector *);

/* Without running the target. */
void found_error_bare_finding(const found_error *, target *, finding *);

/* Runs the target along the steps of the error. */
void found_error_finding(const found_error *, target *, finding *);

#endif
