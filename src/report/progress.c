#include "report/progress.h"

#include <time.h>

#define PERIOD_SECONDS 0.1

double monotonic_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void progress_begin(progress *p, FILE *out) {
    double now = monotonic_seconds();
    *p = (progress){.out = out, .countdown = 1, .interval = 1, .started = now, .shown = now};
}

void progress_end(progress *p) {
    if (p->visible) {
        fputs("\r\033[K", p->out);
        fflush(p->out);
    }
    p->visible = false;
}

static void show(progress *p, uint64_t executions, double elapsed) {
    fprintf(p->out, "\r\033[Kheddle: %llu executions, %.0f per second, %.1f s",
            (unsigned long long)executions, (double)executions / elapsed, elapsed);
    fflush(p->out);
    p->visible = true;
}

/* The interval follows the speed, at most doubling, so that one slow execution after many fast
   ones does not leave the line standing for long. */
static void adapt(progress *p, double since) {
    if (since < PERIOD_SECONDS / 2) {
        p->interval *= 2;
    } else if (since > PERIOD_SECONDS * 2 && p->interval > 1) {
        p->interval /= 2;
    }
    p->countdown = p->interval;
}

void progress_update(progress *p, uint64_t executions) {
    double now = monotonic_seconds();
    double since = now - p->shown;
    if (since >= PERIOD_SECONDS / 2) {
        show(p, executions, now - p->started);
        p->shown = now;
    }
    adapt(p, since);
}
