/* How many processes explore at once. */
#ifndef HEDDLE_CLI_WORKERS_H
#define HEDDLE_CLI_WORKERS_H

#include "base/settings.h"

/* On one machine: more workers cannot be watched well, and do not help. */
enum { WORKERS_MOST = 256 };

/* The value of -j, or the number of cores. */
uint32_t workers_wanted(const settings *);

/* Seconds that the first one explores before others are started: small programs have ended by then.
 * The environment variable HEDDLE_WORKERS_DELAY_MS overrides it, for tests. */
double workers_delay(void);

/* Seconds before the number of executions is estimated. The environment variable HEDDLE_FORECAST_MS
 * overrides it, for tests. */
double workers_forecast_delay(void);

/* Seconds between two checkpoints. The environment variable HEDDLE_CHECKPOINT_MS overrides it, for
 * tests. */
double workers_save_every(void);

/* For tests, by HEDDLE_STOP_AFTER: interrupts the exploration when that many executions were
 * reported; 0: never. */
uint64_t workers_stop_after(void);

/* For tests, by HEDDLE_WORKERS_EAGER: workers give work away whenever they have some. */
bool workers_are_eager(void);

#endif
