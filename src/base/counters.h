/* The counters of an exploration, declared once; the struct, the JSON keys and the lines of the
 * summary follow from the table. */
#ifndef HEDDLE_BASE_COUNTERS_H
#define HEDDLE_BASE_COUNTERS_H

#include <stdint.h>

/*    name            always shown   in the summary */
#define COUNTERS(X)                                                                         \
    X(executions, true, "Number of complete executions explored")                           \
    X(assume_blocked, false, "  of which ended in a failed assume")                         \
    X(deadlocks, false, "  of which ended with a thread blocked forever")                   \
    X(artifacts, false, "Number of executions that end in a spin loop, explored elsewhere") \
    X(blocked, true, "Number of executions blocked (given up as redundant)")                \
    X(pruned, false, "Number of executions pruned (equal states)")                          \
    X(dont_do, false, "Most sequences in don't-do sets at once")                            \
    X(events, true, "Number of events executed")

#define COUNTER_FIELD(name, always, label) uint64_t name;
typedef struct counters {
    COUNTERS(COUNTER_FIELD)
} counters;
#undef COUNTER_FIELD

#endif
