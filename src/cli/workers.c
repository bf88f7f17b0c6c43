#include "cli/workers.h"

#include <stdlib.h>

uint32_t workers_wanted(const settings *s) {
    uint64_t wanted = s->jobs ? s->jobs : 1;
    return wanted < WORKERS_MOST ? (uint32_t)wanted : WORKERS_MOST;
}

double workers_delay(void) {
    const char *given = getenv("HEDDLE_WORKERS_DELAY_MS");
    return given ? strtod(given, NULL) / 1e3 : 0.3;
}

bool workers_are_eager(void) {
    return getenv("HEDDLE_WORKERS_EAGER") != NULL;
}
