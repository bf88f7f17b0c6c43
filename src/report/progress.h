/* The progress line on a terminal: executions, rate, elapsed time; erased at the end.
 *
 * There is no timer (a signal would disturb targets that use some of their own): the clock is read
 * after so many executions as took about a tenth of a second the last time, so that an execution
 * costs one decrement. */
#ifndef HEDDLE_REPORT_PROGRESS_H
#define HEDDLE_REPORT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct progress {
    FILE *out; /* NULL: no progress is shown */
    uint64_t countdown;
    uint64_t interval; /* executions between two looks at the clock */
    double started;
    double shown;
    bool visible;
} progress;

/* Seconds on a clock that never jumps. */
double monotonic_seconds(void);

void progress_begin(progress *, FILE *out);

/* Erases the line. */
void progress_end(progress *);

void progress_update(progress *, uint64_t executions);

/* An execution has ended; `executions` in all. */
static inline void progress_tick(progress *p, uint64_t executions) {
    if (p->out && --p->countdown == 0) {
        progress_update(p, executions);
    }
}

#endif
