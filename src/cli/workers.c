#include "cli/workers.h"

#include <stdlib.h>

uint32_t workers_wanted(const settings *s) {
    uint64_t wanted = s->jobs ? s->jobs : 1;
    return wanted < WORKERS_MOST ? (uint32_t)wanted : WORKERS_MOST;
}

static double seconds_of(const char *variable, double otherwise) {
    const char *given = getenv(variable);
    return given ? strtod(given, NULL) / 1e3 : otherwise;
}

double workers_delay(void) {
    return seconds_of("HEDDLE_WORKERS_DELAY_MS", 0.3);
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
