/* One process at a time: for a role that has to end before the next one begins. */
#include "supervise/supervisor.h"

typedef struct single {
    const role *role;
    void *context;
    child_report *report;
} single;

static void single_work(void *context, channel *c) {
    const single *one = context;
    one->role->work(one->context, c);
}

static bool single_receive(void *context, enum message_type type, byte_reader *content) {
    const single *one = context;
    return one->role->receive(one->context, type, content);
}

static void single_watch(void *context, const void *witness) {
    const single *one = context;
    if (one->role->watch) {
        one->role->watch(one->context, witness);
    }
}

/* The report outlives the process. */
static void single_ended(void *context, child_report *report) {
    const single *one = context;
    *one->report = *report;
    report->error_output = (text){0};
}

void supervisor_run(supervisor *s, const role *r, void *context, child_report *report) {
    role same = *r;
    single one = {r, context, report};
    same.work = single_work;
    same.receive = single_receive;
    same.watch = single_watch;
    same.ended = single_ended;
    *report = (child_report){.end = CHILD_NOT_STARTED};
    if (r->can_stop && supervisor_interrupted(s)) { /* it could no longer be asked to stop */
        *report = (child_report){.end = CHILD_INTERRUPTED, .phase = PHASE_STARTING};
        return;
    }
    if (supervisor_start(s, &same, &one, r->place)) {
        supervisor_wait(s);
    }
}
