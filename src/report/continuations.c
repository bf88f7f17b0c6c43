#include "report/continuations.h"

typedef struct inquiry {
    sink sink; /* first */
    rerun *rerun;
    bool avoidable, unknown;
    sig_atomic_t stop;
} inquiry;

typedef struct repetition {
    step_list steps;
    uint32_t taken;
    bool failed;
    inquiry *inquiry;
} repetition;

static bool next_step(void *context, step *next) {
    repetition *r = context;
    if (r->taken == r->steps.count) {
        return false;
    }
    *next = vector_at(&r->steps, r->taken++);
    return true;
}

static bool look_for_error(void *context, const step_result *result) {
    repetition *r = context;
    r->failed = r->failed || rerun_has_kind(r->inquiry->rerun, result->error);
    return true;
}

/* Runs the execution again: the explorer reports an error only where it first occurs, and does not
 * repeat it for other executions that have the step. */
static bool has_failed(inquiry *q, const execution *e) {
    static const step_hooks hooks = {.next = next_step, .after = look_for_error};
    repetition r = {.inquiry = q};
    for (uint32_t i = 0; i < execution_length(e); i++) {
        const event *taken = execution_event(e, i);
        vector_push(&r.steps, (step){taken->thread, taken->choice});
    }
    q->rerun->target->class->reset(q->rerun->target);
    target_run(q->rerun->target, &hooks, &r);
    vector_free(&r.steps);
    return r.failed;
}

static void executed(sink *s, const exploration *x, enum target_ending ending) {
    inquiry *q = (inquiry *)s;
    uint64_t length = execution_length(&x->execution) + 1;
    (void)ending;
    q->avoidable = q->avoidable || (!has_failed(q, &x->execution) && rerun_ended_well(q->rerun));
    q->rerun->budget -= length < q->rerun->budget ? length : q->rerun->budget;
    q->unknown = q->unknown || rerun_is_over(q->rerun);
    q->stop = q->avoidable || q->unknown;
}

static void cut(sink *s, const exploration *x) {
    inquiry *q = (inquiry *)s;
    (void)x;
    q->unknown = true;
    q->stop = true;
}

/* Something could not be explored. */
static bool meet(sink *s, const exploration *x, const program_error *e) {
    inquiry *q = (inquiry *)s;
    (void)x;
    q->unknown = q->unknown || e->kind == ERROR_UNSUPPORTED || e->kind == ERROR_UNFINISHED;
    q->stop = q->stop || q->unknown;
    return !q->unknown;
}

enum answer continuations_ask(rerun *r, const step *steps, uint32_t count) {
    static const sink_class class = {.executed = executed, .cut = cut, .error = meet};
    inquiry q = {.sink.class = &class, .rerun = r};
    exploration x;
    exploration_init(&x, r->target, &q.sink);
    x.model = r->model;
    x.given = steps;
    x.given_count = count;
    x.limits =
        (exploration_limits){.max_steps = r->max_steps, .stop_at_cut = true, .interrupt = &q.stop};
    enum exploration_end end = exploration_run(&x, r->algorithm);
    r->given_up = r->given_up || r->target->stale;
    bool complete = end == EXPLORATION_COMPLETE && !x.cut && !q.unknown && !r->given_up;
    exploration_free(&x);
    return q.avoidable && !r->given_up ? ANSWER_AVOIDABLE
           : complete                  ? ANSWER_DOOMED
                                       : ANSWER_UNKNOWN;
}
