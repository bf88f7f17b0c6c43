#include "report/progress.h"

#include <time.h>

double monotonic_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void progress_begin(progress *p, FILE *out) {
    *p = (progress){.out = out, .started = monotonic_seconds()};
}

void progress_end(progress *p) {
    if (p->visible) {
        fputs("\r\033[K", p->out);
        fflush(p->out);
    }
    p->visible = false;
}

void progress_show(progress *p, uint64_t executions) {
    double elapsed = monotonic_seconds() - p->started;
    if (!p->out || elapsed <= 0) {
        return;
    }
    fprintf(p->out, "\r\033[Kheddle: %llu executions, %.0f per second, %.1f s",
            (unsigned long long)executions, (double)executions / elapsed, elapsed);
    fflush(p->out);
    p->visible = true;
}
