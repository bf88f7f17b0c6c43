/* Runs a native program under random schedules: for trying things out and for measuring.
 *
 *     random_driver RUNS SEED [--trace] [--replay] [--no-race] FILE.c… [-DFLAG…] [-- ARGUMENTS]
 *
 * Prints how the executions ended, each kind of error once, and the time. With --replay all runs
 * follow the first schedule; with --trace every step is printed. */
#include <inttypes.h>
#include <time.h>

#include "base/random.h"
#include "driver.h"

typedef struct taken {
    uint32_t thread, choice;
} taken;

typedef VECTOR(taken) schedule;

static bool tracing, replaying, snapshots;
static uint64_t steps, endings[3], cuts, errors[ERROR_KIND_COUNT];

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void note_error(target *t, const program_error *error) {
    if (!error || errors[error->kind]++) {
        return;
    }
    const char *file = "?";
    uint32_t line = 0;
    t->class->describe_location(t, error->location, &file, &line);
    printf("error %s in thread %u at %s:%u: %s\n", error_word(error->kind), error->thread, file,
           line, error->message);
}

static void print_step(target *t, uint32_t thread, const operation *o, const step_result *r) {
    const char *file = "?";
    uint32_t line = 0;
    t->class->describe_location(t, o->location, &file, &line);
    t->class->describe_thread(t, thread, stdout);
    printf(" %s ", operation_word(o->kind));
    if (o->footprint) {
        t->class->describe_object(t, o->object, stdout);
    }
    printf(" footprint %" PRIx64 " value %" PRIu64 " %s:%u\n", o->footprint, r->value, file, line);
}

static bool pick(target *t, random_source *random, taken *next) {
    uint32_t count = t->class->thread_count(t);
    uint32_t first = random_below(random, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t thread = (first + i) % count;
        const operation *o = t->class->pending(t, thread);
        if (o && operation_enabled(o)) {
            uint32_t choice = random_below(random, operation_alternatives(o));
            *next = (taken){thread, operation_choice(o, choice)};
            return true;
        }
    }
    return false;
}

static void run(target *t, random_source *random, schedule *s, bool first) {
    t->class->reset(t);
    note_error(t, t->class->start_error(t, 0));
    for (uint32_t i = 0; i < 1000000; i++) {
        taken next;
        if (replaying && !first) {
            if (i == s->count) {
                break;
            }
            next = s->items[i];
        } else if (!pick(t, random, &next)) {
            break;
        } else if (replaying) {
            vector_push(s, next);
        }
        step_result result;
        operation before = tracing ? *t->class->pending(t, next.thread) : (operation){0};
        t->class->step(t, next.thread, next.choice, &result);
        if (tracing) {
            print_step(t, next.thread, &before, &result);
        }
        steps++;
        note_error(t, result.error);
    }
    endings[t->class->ending(t)]++;
    cuts += t->cut;
    t->cut = false;
}

typedef struct outcome {
    taken step;
    uint64_t value;
    footprint footprint;
} outcome;

static VECTOR(outcome) outcomes;
static uint64_t snapshot_bytes;

/* To the end, remembering or comparing with what was remembered. */
static bool finish(target *t, random_source *random, bool compare) {
    taken next;
    for (uint32_t i = 0; compare ? i < outcomes.count : pick(t, random, &next); i++) {
        next = compare ? outcomes.items[i].step : next;
        const operation *o = t->class->pending(t, next.thread);
        if (!o || !operation_enabled(o)) {
            return false;
        }
        outcome done = {.step = next, .footprint = o->footprint};
        step_result result;
        t->class->step(t, next.thread, next.choice, &result);
        done.value = result.value;
        if (compare && (done.value != outcomes.items[i].value ||
                        done.footprint != outcomes.items[i].footprint)) {
            return false;
        }
        if (!compare) {
            vector_push(&outcomes, done);
        }
    }
    return true;
}

/* Saves somewhere, runs to the end, restores and runs again: everything must be the same. */
static bool snapshot_run(target *t, random_source *random) {
    static char *state, *again;
    static size_t room;
    t->class->reset(t);
    taken next;
    step_result result;
    for (uint32_t i = random_below(random, 30); i-- > 0 && pick(t, random, &next);) {
        t->class->step(t, next.thread, next.choice, &result);
    }
    size_t size = t->class->state_size(t);
    if (size > room) {
        state = realloc(state, size);
        again = realloc(again, size);
        room = size;
    }
    snapshot_bytes += size;
    t->class->save(t, state);
    vector_clear(&outcomes);
    finish(t, random, false);
    enum target_ending ending = t->class->ending(t);
    t->class->restore(t, state);
    if (t->class->state_size(t) > room) {
        room = t->class->state_size(t);
        state = realloc(state, room);
        again = realloc(again, room);
    }
    t->class->save(t, again);
    if (!t->class->equal(t, state, again)) {
        printf("a restored state differs from the saved one\n");
        return false;
    }
    if (!finish(t, random, true) || t->class->ending(t) != ending) {
        printf("a restored state behaves differently\n");
        return false;
    }
    return true;
}

static long resident_kibibytes(void) {
    long size = 0, pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld %ld", &size, &pages) != 2) {
        pages = 0;
    }
    if (file) {
        fclose(file);
    }
    return pages * 4;
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "usage: random_driver RUNS SEED FILE.c…\n");
        return 2;
    }
    uint64_t runs = strtoull(argv[1], NULL, 10);
    random_source random = {strtoull(argv[2], NULL, 10)};
    settings options = {.timeouts = TIMEOUTS_MAY};
    for (int i = 3; i < argc; i++) {
        if (strcmp(argv[i], "--trace") == 0) {
            tracing = true;
        } else if (strcmp(argv[i], "--replay") == 0) {
            replaying = true;
        } else if (strcmp(argv[i], "--snapshots") == 0) {
            snapshots = true;
        } else if (strcmp(argv[i], "--echo") == 0) {
            options.echo = true;
        } else if (strcmp(argv[i], "--exit-status") == 0) {
            options.exit_status = true;
        } else if (driver_takes_rest(&options, argc, argv, i)) {
            break;
        }
    }
    char message[NATIVE_MESSAGE_SIZE];
    double start = seconds();
    native_program program = driver_build(&options);
    target *t = driver_load(&program, &options);
    native_remove(&program);
    printf("built in %.3f s\n", seconds() - start);
    schedule s = {0};
    if (!native_check_determinism(t, message)) { /* also finds what threads share */
        printf("%s\n", message);
    }
    start = seconds();
    long resident = 0;
    for (uint64_t i = 0; i < runs; i++) {
        if (i == runs / 10) {
            resident = resident_kibibytes();
        }
        if (snapshots) {
            if (!snapshot_run(t, &random)) {
                return 1;
            }
            continue;
        }
        run(t, &random, &s, i == 0);
    }
    double took = seconds() - start;
    printf("%" PRIu64 " runs: %" PRIu64 " complete, %" PRIu64 " assume-blocked, %" PRIu64
           " deadlocks; %.1f steps each; %.3f us a run, %.1f ns a step\n",
           runs, endings[0], endings[1], endings[2], (double)steps / (double)runs,
           took / (double)runs * 1e6, took / (double)steps * 1e9);
    for (int k = 0; k < ERROR_KIND_COUNT; k++) {
        if (errors[k]) {
            printf("%s: %" PRIu64 "\n", error_word(k), errors[k]);
        }
    }
    if (cuts) {
        printf("cut: %" PRIu64 "\n", cuts);
    }
    printf("grown since the first tenth: %ld KiB\n", resident_kibibytes() - resident);
    t->class->destroy(t);
    vector_free(&options.files);
    vector_free(&options.flags);
    vector_free(&s);
    printf("memory left: %zu\n", memory_in_use());
    return 0;
}
