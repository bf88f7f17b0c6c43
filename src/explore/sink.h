/* The third seam: who is notified. Reports, counters, JSON and the tests' checkers are sinks. */
#ifndef HEDDLE_EXPLORE_SINK_H
#define HEDDLE_EXPLORE_SINK_H

#include <stdbool.h>

#include "explore/strategy.h"
#include "explore/target.h"

typedef struct sink sink;

typedef struct sink_class {
    /* The steps that are given (exploration.h) have been taken. False: stop here. May be NULL. */
    bool (*begun)(sink *, const exploration *, strategy *);
    /* A maximal execution has been explored; the target is at its end. */
    void (*executed)(sink *, const exploration *, enum target_ending);
    /* An exploration was abandoned as redundant (sleep-set blocked). May be NULL. */
    void (*redundant)(sink *, const exploration *);
    /* An exploration was abandoned because equal states are explored elsewhere. May be NULL. */
    void (*pruned)(sink *, const exploration *);
    /* An execution was cut short by a bound on its length. May be NULL. */
    void (*cut)(sink *, const exploration *);
    /* An error of the program, at the end of the current execution. False: stop here. */
    bool (*error)(sink *, const exploration *, const program_error *);
} sink_class;

struct sink {
    const sink_class *class;
};

#endif
