/* What an exploration takes, what its replay takes, and what a single step costs.
 *
 * Times are processor time, which other processes disturb less than time on the wall, and the
 * least of the repetitions. Building a C program is not part of any time. */
#ifndef HEDDLE_BENCH_MEASURE_H
#define HEDDLE_BENCH_MEASURE_H

#include "base/settings.h"
#include "bench/child.h"

typedef struct measure_request {
    settings settings;
    const char *algorithm;
    uint32_t repeat;
    bool floor; /* also replay the executions */
    bool share; /* also find out how much of the time is the program's own code */
    uint32_t most_seconds;
} measure_request;

typedef struct figures {
    char algorithm[32]; /* that ran: another one than was asked for if that fell back */
    uint64_t executions, blocked, pruned;
    uint64_t events;  /* steps taken that were not replays: states visited */
    uint64_t dont_do; /* most sequences in don't-do sets at once */
    uint64_t steps;   /* of all executions together, however much of them was replayed */
    double seconds;
    uint64_t peak_bytes;
    /* The floor; of the first executions only if not all could be recorded. */
    uint64_t floor_executions, floor_steps;
    double floor_seconds;
    double own_share; /* of the time in the program's own code, from 0 to 1 */
} figures;

/* In a process of its own. */
enum child_end measure_exploration(const measure_request *, figures *);

/* One execution, the threads in turn, over and over. */
typedef struct raw_figures {
    uint32_t steps;
    double reset_seconds;
    double replay_seconds;  /* reset and all steps at once */
    double step_seconds;    /* reset and steps, the explorer in and out at each */
    double explore_seconds; /* and asking for pending operations, and appending the events */
} raw_figures;

enum child_end measure_raw(const measure_request *, raw_figures *);

#endif
