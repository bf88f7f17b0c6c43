/* What a step and a replay cost: speed [PROGRAM.c]
 *
 * Prints the time of one replay of a fixed random schedule, reset included, with and without the
 * race detector, and the time of a step when the explorer decides at each one (the policy "lowest",
 * strategy pop, a limited number of executions). The least of many batches is taken: the machine
 * may be busy with something else. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/random.h"
#include "base/vector.h"
#include "explore/exploration.h"
#include "targets/native/native.h"
#include "dpor/registry.h"

enum { BATCHES = 400, BATCH_RUNS = 1000, EXECUTIONS = 20000 };

typedef VECTOR(step) schedule;

static double nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void record(target *t, schedule *s) {
    random_source random = {42};
    t->class->reset(t);
    for (;;) {
        uint32_t count = t->class->thread_count(t), first = random_below(&random, count);
        uint32_t found = UINT32_MAX;
        for (uint32_t i = 0; i < count && found == UINT32_MAX; i++) {
            const operation *o = t->class->pending(t, (first + i) % count);
            if (o && operation_enabled(o)) {
                found = (first + i) % count;
            }
        }
        if (found == UINT32_MAX) {
            return;
        }
        step next = {found, operation_choice(t->class->pending(t, found), 0)};
        vector_push(s, next);
        step_result result;
        t->class->step(t, next.thread, next.choice, &result);
    }
}

static double replay_time(target *t, const schedule *s) {
    double least = 1e18;
    for (int batch = 0; batch < BATCHES; batch++) {
        double start = nanoseconds();
        for (int run = 0; run < BATCH_RUNS; run++) {
            t->class->reset(t);
            for (uint32_t i = 0; i < s->count; i++) {
                step_result result;
                t->class->step(t, s->items[i].thread, s->items[i].choice, &result);
            }
        }
        double took = (nanoseconds() - start) / BATCH_RUNS;
        least = took < least ? took : least;
    }
    return least;
}

/* pending of every thread, then a step: what the explorer does at the least. */
static double step_time(target *t, const schedule *s) {
    double least = 1e18;
    for (int batch = 0; batch < BATCHES; batch++) {
        double start = nanoseconds();
        uint32_t enabled = 0;
        for (int run = 0; run < BATCH_RUNS / 5; run++) {
            t->class->reset(t);
            for (uint32_t i = 0; i < s->count; i++) {
                for (uint32_t thread = 0; thread < t->class->thread_count(t); thread++) {
                    const operation *o = t->class->pending(t, thread);
                    enabled += o && operation_enabled(o);
                }
                step_result result;
                t->class->step(t, s->items[i].thread, s->items[i].choice, &result);
            }
        }
        double took = (nanoseconds() - start) / (BATCH_RUNS / 5) / s->count;
        least = enabled && took < least ? took : least;
    }
    return least;
}

static uint64_t executions;

static void executed(sink *s, const exploration *x, enum target_ending ending) {
    (void)s;
    (void)x;
    (void)ending;
    executions++;
}

static bool on_error(sink *s, const exploration *x, const program_error *error) {
    (void)s;
    (void)x;
    (void)error;
    return true;
}

static void explore(target *t) {
    static const sink_class class = {.executed = executed, .error = on_error};
    sink counter = {&class};
    exploration x;
    exploration_init(&x, t, &counter);
    x.limits.max_executions = EXECUTIONS;
    double start = nanoseconds();
    exploration_run(&x, strategy_find("pop"));
    double took = nanoseconds() - start;
    printf("pop: %.2f us an execution, %.1f ns a step (%.1f steps new, %.1f replayed)\n",
           took / 1000 / (double)executions, took / (double)(x.events + x.replayed),
           (double)x.events / (double)executions, (double)x.replayed / (double)executions);
    exploration_free(&x);
}

int main(int argc, char **argv) {
    const char *inputs[] = {argc > 1 ? argv[1] : "bench/c/forty.c"};
    for (int race = 0; race < 2; race++) {
        settings options = {.files = {.items = inputs, .count = 1}, .no_race_check = !race};
        native_program program;
        char message[NATIVE_MESSAGE_SIZE];
        target *t = NULL;
        if (!native_build(&options, &program, message) ||
            !(t = native_open(&program, &options, message))) {
            fprintf(stderr, "%s\n", message);
            return 2;
        }
        schedule s = {0};
        record(t, &s);
        printf(
            "%s race detector: replay of %u events %.2f us, a step with all threads asked "
            "%.1f ns\n",
            race ? "with" : "without", s.count, replay_time(t, &s) / 1000, step_time(t, &s));
        executions = 0;
        explore(t);
        t->class->destroy(t);
        vector_free(&s);
    }
    return 0;
}
