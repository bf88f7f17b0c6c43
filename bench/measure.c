#include "bench/measure.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "bench/recording.h"
#include "bench/sampler.h"
#include "cli/load.h"
#include "dpor/registry.h"
#include "explore/exploration.h"

/* Repetitions end early when they have taken that long together; what is short and to be
 * repeated at all is repeated more often than was asked for. */
static const double ENOUGH_SECONDS = 10, SHORT_SECONDS = 0.3, SHARE_SECONDS = 1;
enum { MOST_REPETITIONS_FACTOR = 20 };

/* Of the only thread: the clock of the process advances in ticks while the watchdog of native
 * programs has a timer on it. */
static double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* ---- one exploration ---- */

/* A sink that counts, and records if asked to. */
typedef struct counting_sink {
    sink sink;
    uint64_t executions, blocked, pruned, steps, events, dont_do;
    recording *recording;
    volatile sig_atomic_t stop;
} counting_sink;

static void executed(sink *s, const exploration *x, enum target_ending ending) {
    counting_sink *c = (counting_sink *)s;
    (void)ending;
    c->executions++;
    c->steps += execution_length(&x->execution);
    if (c->recording) {
        recording_add(c->recording, &x->execution);
        c->stop = c->recording->full;
    }
}

static void redundant(sink *s, const exploration *x) {
    (void)x;
    ((counting_sink *)s)->blocked++;
}

static void pruned(sink *s, const exploration *x) {
    (void)x;
    ((counting_sink *)s)->pruned++;
}

static bool go_on(sink *s, const exploration *x, const program_error *error) {
    (void)s, (void)x, (void)error;
    return true;
}

static const sink_class counting_class = {
    .executed = executed, .redundant = redundant, .pruned = pruned, .error = go_on};

static enum exploration_end explore(loaded *l, counting_sink *c, const strategy_class *algorithm,
                                    enum first_policy first, uint64_t most_executions) {
    exploration x;
    recording *kept = c->recording;
    *c = (counting_sink){.sink = {&counting_class}, .recording = kept};
    if (kept) {
        recording_clear(kept);
    }
    exploration_init(&x, l->target, &c->sink);
    x.model = l->model;
    x.first = first;
    x.limits = (exploration_limits){.max_executions = most_executions, .interrupt = &c->stop};
    enum exploration_end end = exploration_run(&x, algorithm);
    c->events = x.events;
    c->dont_do = x.dont_do;
    exploration_free(&x);
    return end;
}

/* Everything, false starts included. Returns the algorithm that did it. */
static const strategy_class *explore_all(loaded *l, const strategy_class *algorithm,
                                         counting_sink *c) {
    for (;;) {
        enum exploration_end end = explore(l, c, algorithm, FIRST_USUAL, 0);
        if (end == EXPLORATION_UNSUITED) {
            algorithm = strategy_find(algorithm->fallback);
        } else if (!target_take_stale(l->target)) {
            return algorithm;
        }
    }
}

/* ---- repetitions ---- */

typedef struct repetitions {
    uint32_t wanted, done;
    double started, spent, least;
} repetitions;

static bool repetition_begins(repetitions *r) {
    bool enough = r->done >= r->wanted && (r->wanted == 1 || r->spent >= SHORT_SECONDS);
    if (enough || r->spent >= ENOUGH_SECONDS || r->done == r->wanted * MOST_REPETITIONS_FACTOR) {
        return false;
    }
    r->started = processor_seconds();
    return true;
}

static void repetition_ends(repetitions *r) {
    double seconds = processor_seconds() - r->started;
    r->least = !r->done || seconds < r->least ? seconds : r->least;
    r->spent += seconds;
    r->done++;
}

static void measure_floor(const measure_request *q, loaded *l, const strategy_class *algorithm,
                          figures *f) {
    recording kept = {0};
    counting_sink c = {.recording = &kept};
    repetitions r = {.wanted = q->repeat};
    explore_all(l, algorithm, &c);
    while (kept.lengths.count && repetition_begins(&r)) {
        recording_go_back(&kept, l->target);
        repetition_ends(&r);
    }
    f->floor_executions = kept.lengths.count;
    f->floor_steps = kept.steps.count;
    f->floor_seconds = r.least;
    recording_free(&kept);
}

static void measure_share(loaded *l, const strategy_class *algorithm, figures *f) {
    counting_sink c = {0};
    double begin = processor_seconds();
    sampler_start();
    while (processor_seconds() - begin < SHARE_SECONDS) {
        explore_all(l, algorithm, &c);
    }
    f->own_share = sampler_stop();
}

static void measure_loaded(const measure_request *q, loaded *l, const strategy_class *algorithm,
                           figures *f) {
    counting_sink c = {0};
    repetitions r = {.wanted = q->repeat};
    while (repetition_begins(&r)) {
        algorithm = explore_all(l, algorithm, &c);
        repetition_ends(&r);
        f->peak_bytes = r.done == 1 ? child_peak_bytes() : f->peak_bytes;
    }
    snprintf(f->algorithm, sizeof f->algorithm, "%s", algorithm->name);
    f->executions = c.executions;
    f->blocked = c.blocked;
    f->pruned = c.pruned;
    f->events = c.events;
    f->dont_do = c.dont_do;
    f->steps = c.steps;
    f->seconds = r.least;
    if (q->floor) {
        measure_floor(q, l, algorithm, f);
    }
    if (q->share) {
        measure_share(l, algorithm, f);
    }
}

/* ---- raw costs ---- */

enum { RAW_ROUNDS = 2000, RAW_BATCHES = 30 };

typedef void raw_function(const recording *, target *, execution *);

static void raw_reset(const recording *r, target *t, execution *e) {
    (void)r, (void)e;
    t->class->reset(t);
}

static void raw_replay(const recording *r, target *t, execution *e) {
    (void)e;
    recording_replay(r, t);
}

static void raw_step(const recording *r, target *t, execution *e) {
    (void)e;
    recording_step(r, t);
}

/* Seconds for one time. */
static double raw_seconds(raw_function *cost, const recording *r, target *t, execution *e) {
    repetitions batches = {.wanted = RAW_BATCHES};
    while (repetition_begins(&batches)) {
        for (uint32_t i = 0; i < RAW_ROUNDS; i++) {
            cost(r, t, e);
        }
        repetition_ends(&batches);
    }
    return batches.least / RAW_ROUNDS;
}

static void measure_raw_loaded(loaded *l, raw_figures *f) {
    recording r = {0};
    counting_sink c = {.recording = &r};
    execution e;
    do {
        explore(l, &c, strategy_find("none"), FIRST_ROUND_ROBIN, 1);
    } while (target_take_stale(l->target));
    execution_init(&e);
    f->steps = r.steps.count;
    f->reset_seconds = raw_seconds(raw_reset, &r, l->target, &e);
    f->replay_seconds = raw_seconds(raw_replay, &r, l->target, &e);
    f->step_seconds = raw_seconds(raw_step, &r, l->target, &e);
    f->explore_seconds = raw_seconds(recording_explore, &r, l->target, &e);
    execution_free(&e);
    recording_free(&r);
}

/* ---- in the child ---- */

static bool load_subject(const measure_request *q, loaded *l) {
    text message = {0};
    sampler_before_load();
    bool done = load_here(l, &q->settings, &message);
    sampler_after_load();
    if (!done) {
        fprintf(stderr, "bench: %s\n", text_string(&message));
    }
    text_free(&message);
    return done;
}

static bool exploration_work(const void *request, void *result) {
    const measure_request *q = request;
    const strategy_class *algorithm = strategy_find(q->algorithm);
    loaded l;
    bool done = load_subject(q, &l);
    if (done) {
        measure_loaded(q, &l, algorithm, result);
    }
    loaded_free(&l);
    return done;
}

static bool raw_work(const void *request, void *result) {
    loaded l;
    bool done = load_subject(request, &l);
    if (done) {
        measure_raw_loaded(&l, result);
    }
    loaded_free(&l);
    return done;
}

enum child_end measure_exploration(const measure_request *q, figures *f) {
    memset(f, 0, sizeof *f);
    return child_run(exploration_work, q, f, sizeof *f, q->most_seconds);
}

enum child_end measure_raw(const measure_request *q, raw_figures *f) {
    memset(f, 0, sizeof *f);
    return child_run(raw_work, q, f, sizeof *f, q->most_seconds);
}
