/* The sink that checks: each execution of a strategy is run again in the oracle's own machine,
 * step by step, and compared with what the library says about it (kinds, footprints, values,
 * happens-before, ending); then its trace, outcome, final state and errors are collected.
 *
 * A schedule that was run again once need not be run again for the next strategy: what it came to
 * can be kept. The first difference sets `interrupt`, which ends the exploration. */
#ifndef HEDDLE_ORACLE_RECORDER_H
#define HEDDLE_ORACLE_RECORDER_H

#include <signal.h>

#include "base/vector.h"
#include "explore/exploration.h"
#include "oracle/brute.h"
#include "oracle/difference.h"
#include "oracle/promise.h"

/* What a schedule that was run again, and found to be what the library says, comes to. */
typedef struct judged {
    hash trace, outcome, state, final, result;
    hash class; /* only if classes of observers are wanted */
    enum machine_ending ending;
} judged;

/* The schedules of one program that were judged, by any recorder. */
typedef struct judged_schedules {
    hash_table numbers; /* by schedule; value: in `items` */
    VECTOR(judged) items;
} judged_schedules;

void judged_free(judged_schedules *);

typedef struct recorder {
    sink sink; /* first: a recorder is a sink */
    const program *program;
    const brute *expected;
    judged_schedules *known; /* or NULL; set by the user */
    uint32_t promises;
    bool passing;               /* set by the user: plain accesses are no steps of their own */
    uint64_t exploration_limit; /* executions and redundant explorations */
    bool limit_hit;
    volatile sig_atomic_t interrupt;
    difference *difference;

    uint64_t executions, redundant;
    uint64_t endings[FINISH_COUNT];
    hash_table traces, outcomes, states, finals, results, classes, errors, races;
    hash_table schedules; /* only if all interleavings are promised */
    uint64_t deadlocks_reported;
    trace trace;
    uint32_t positions[MACHINE_STEPS]; /* of the execution's events, in the trace */
} recorder;

/* For the next exploration; a recorder is zero before the first one, and keeps its memory. */
void recorder_start(recorder *, const program *, const brute *expected, uint32_t promises,
                    uint64_t exploration_limit, difference *);
void recorder_free(recorder *);

/* Compares what was collected with what the brute force found, once the exploration is over. */
void recorder_judge(recorder *, enum exploration_end);

#endif
