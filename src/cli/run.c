#include "cli/run.h"

#include "cli/interrupt.h"
#include "report/progress.h"

void run_exploration(const options *o, const strategy_class *algorithm, target *target,
                     collector *c, outcome *result) {
    exploration e;
    exploration_init(&e, target, &c->sink);
    e.first = o->first.policy;
    e.random = (random_source){o->first.seed};
    e.limits = (exploration_limits){.max_steps = o->max_steps,
                                    .max_executions = o->max_executions,
                                    .interrupt = &interrupt_requested};
    interrupt_after(o->max_seconds);
    double started = monotonic_seconds();
    enum exploration_end end = exploration_run(&e, algorithm);
    double seconds = monotonic_seconds() - started;
    interrupt_after(0);
    bool timeout = interrupt_was_timeout();
    if (end == EXPLORATION_COMPLETE && e.cut) {
        end = EXPLORATION_STEP_BOUND;
    }
    c->counters.events = e.events;
    *result = (outcome){.algorithm = algorithm->name,
                        .end = end,
                        .timeout = timeout,
                        .collector = c,
                        .seconds = seconds};
    exploration_free(&e);
}
