/* How many processes explore at once. */
#ifndef HEDDLE_CLI_WORKERS_H
#define HEDDLE_CLI_WORKERS_H

#include "base/settings.h"

/* On one machine: more than that can neither be watched well nor helps. */
enum { WORKERS_MOST = 256 };

/* As -j says, or else as many as there are cores. */
uint32_t workers_wanted(const settings *);

/* Seconds that the first one explores before others are started: small programs are done by then.
 * The environment variable HEDDLE_WORKERS_DELAY_MS says otherwise, for tests. */
double workers_delay(void);

/* Seconds before it is estimated how many executions there are. The environment variable
 * HEDDLE_FORECAST_MS says otherwise, for tests. */
double workers_forecast_delay(void);

/* Seconds between two checkpoints. The environment variable HEDDLE_CHECKPOINT_MS says otherwise,
 * for tests. */
double workers_save_every(void);

/* For tests, by HEDDLE_STOP_AFTER: an interruption comes once that many executions were reported;
 * 0: none. */
uint64_t workers_stop_after(void);

/* For tests, by HEDDLE_WORKERS_EAGER: workers give work away whenever they have some. */
bool workers_are_eager(void);

#endif
