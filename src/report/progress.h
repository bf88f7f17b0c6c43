/* The progress line on a terminal: executions, rate, elapsed time and, when it is known, how many
 * executions there are in all; erased at the end. The process that explores is not involved: its
 * supervisor reads the counts from time to time. */
#ifndef HEDDLE_REPORT_PROGRESS_H
#define HEDDLE_REPORT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/forecast.h"
#include "base/monotonic.h"

typedef struct progress {
    FILE *out; /* NULL: no progress is shown */
    double started;
    bool visible;
} progress;

void progress_begin(progress *, FILE *out);
void progress_show(progress *, uint64_t executions, const forecast *);

/* Erases the line. */
void progress_end(progress *);

#endif
