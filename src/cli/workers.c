/* POSIX does not define how to count cores. */
#define _GNU_SOURCE

#include "cli/workers.h"

#include <sched.h>
#include <stdlib.h>

#include "cli/ranks.h"

/* Cores that this process may use. */
static uint64_t count_cores(void) {
    cpu_set_t cores;
    return sched_getaffinity(0, sizeof cores, &cores) == 0 ? (uint64_t)CPU_COUNT(&cores) : 1;
}

uint32_t workers_wanted(const settings *s) {
    uint64_t wanted = s->jobs ? s->jobs : count_cores();
    uint64_t most = all_ranks.count > WORKERS_MOST ? all_ranks.count : WORKERS_MOST;
    return (uint32_t)(wanted < most ? wanted : most);
}

static double seconds_of(const char *variable, double otherwise) {
    const char *given = getenv(variable);
    return given ? strtod(given, NULL) / 1e3 : otherwise;
}

double workers_delay(void) {
    return seconds_of("HEDDLE_WORKERS_DELAY_MS", 0.005);
}

double workers_forecast_delay(void) {
    return seconds_of("HEDDLE_FORECAST_MS", 1);
}

double workers_save_every(void) {
    return seconds_of("HEDDLE_CHECKPOINT_MS", 60);
}

uint64_t workers_stop_after(void) {
    const char *given = getenv("HEDDLE_STOP_AFTER");
    return given ? strtoull(given, NULL, 10) : 0;
}

bool workers_are_eager(void) {
    return getenv("HEDDLE_WORKERS_EAGER") != NULL;
}
