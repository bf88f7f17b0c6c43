/* Explores native programs and prints counts: for tests of the native target alone.
 *
 *     explore_driver ALGORITHM[,ALGORITHM…] [OPTIONS] FILE.c… [-DFLAG…] [-- ARGUMENTS]
 *
 * The program is built once, and loaded again for each algorithm. A line for each, after its name:
 * executions, of them deadlocks and assume-blocked; redundant explorations; errors by kind;
 * seconds. A strategy that has work for others explores twice, the second time with that work as
 * bytes on the way, and any difference is one more line. Options: --errors prints each error's
 * message once, --no-race, --faithful, --cc=CC, --max-steps=N. */
#include <inttypes.h>
#include <time.h>

#include "driver.h"
#include "explore/exploration.h"
#include "dpor/registry.h"

typedef struct counting {
    sink base;
    uint64_t executions, deadlocks, assumed, redundant, cuts, errors[ERROR_KIND_COUNT];
    bool prints;
    target *target;
    VECTOR(uint64_t) printed;
} counting;

static void executed(sink *s, const exploration *x, enum target_ending ending) {
    counting *c = (counting *)s;
    (void)x;
    c->executions++;
    c->deadlocks += ending == ENDING_DEADLOCK;
    c->assumed += ending == ENDING_ASSUME_BLOCKED;
}

static void redundant(sink *s, const exploration *x) {
    (void)x;
    ((counting *)s)->redundant++;
}

static void cut(sink *s, const exploration *x) {
    (void)x;
    ((counting *)s)->cuts++;
}

static bool on_error(sink *s, const exploration *x, const program_error *error) {
    counting *c = (counting *)s;
    (void)x;
    c->errors[error->kind]++;
    uint64_t key = (uint64_t)error->kind << 32 | error->location;
    for (uint32_t i = 0; i < c->printed.count; i++) {
        if (c->printed.items[i] == key) {
            return true;
        }
    }
    vector_push(&c->printed, key);
    if (c->prints) {
        const char *file = "?";
        uint32_t line = 0;
        c->target->class->describe_location(c->target, error->location, &file, &line);
        const char *slash = strrchr(file, '/');
        printf("%s: %s:%u: %s\n", error_word(error->kind), slash ? slash + 1 : file, line,
               error->message);
    }
    return true;
}

static const sink_class counting_class = {
    .executed = executed, .redundant = redundant, .cut = cut, .error = on_error};

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Once more, with the work as bytes and work again on the way: everything is the same. */
static void explore_moved(target *t, const strategy_class *strategy, uint64_t max_steps,
                          const counting *expected, uint64_t events) {
    counting c = {.base.class = &counting_class, .target = t};
    exploration x;
    round_trip trip;
    exploration_init(&x, t, &c.base);
    x.limits.max_steps = max_steps;
    round_trip_open(&trip, 1);
    x.exchange = &trip.exchange;
    enum exploration_end end = exploration_run(&x, strategy);
    bool same = c.executions == expected->executions && c.deadlocks == expected->deadlocks &&
                c.assumed == expected->assumed && c.redundant == expected->redundant &&
                c.cuts == expected->cuts && x.events == events &&
                memcmp(c.errors, expected->errors, sizeof c.errors) == 0;
    if (!same || end == EXPLORATION_FOREIGN || trip.failed || target_take_stale(t)) {
        printf("%s: work that was moved: executions %" PRIu64 " instead of %" PRIu64 "\n",
               strategy->name, c.executions, expected->executions);
    }
    exploration_free(&x);
    vector_free(&c.printed);
}

static void explore(target *t, const char *name, uint64_t max_steps, bool prints) {
    const strategy_class *strategy = strategy_find(name);
    counting c;
    exploration x;
    uint32_t restarts = 0;
    double start;
    for (;; restarts++) {
        c = (counting){.base.class = &counting_class, .prints = prints, .target = t};
        start = seconds();
        exploration_init(&x, t, &c.base);
        x.limits.max_steps = max_steps;
        enum exploration_end end = exploration_run(&x, strategy);
        if (end == EXPLORATION_UNSUITED) {
            strategy = strategy_find(strategy->fallback);
        } else if (!target_take_stale(t)) {
            break;
        }
        strategy = t->needs_all ? strategy_find("none") : strategy;
        exploration_free(&x);
        vector_free(&c.printed);
    }
    double took = seconds() - start;
    printf("%s: executions %" PRIu64 " deadlocks %" PRIu64 " assumed %" PRIu64 " blocked %" PRIu64
           " cut %" PRIu64,
           name, c.executions, c.deadlocks, c.assumed, c.redundant, c.cuts);
    for (int k = 0; k < ERROR_KIND_COUNT; k++) {
        if (c.errors[k]) {
            printf(" %s %" PRIu64, error_word(k), c.errors[k]);
        }
    }
    printf(" | %.3f s %.2f us each, %" PRIu64 " events %" PRIu64 " replayed, restarts %u\n", took,
           took * 1e6 / (double)(c.executions + c.redundant), x.events, x.replayed, restarts);
    if (strategy->work) {
        explore_moved(t, strategy, max_steps, &c, x.events);
    }
    exploration_free(&x);
    vector_free(&c.printed);
}

/* True if all of them exist. */
static bool find_algorithms(char *list, string_list *found) {
    for (char *name = strtok(list, ","); name; name = strtok(NULL, ",")) {
        if (!strategy_find(name)) {
            return false;
        }
        vector_push(found, name);
    }
    return found->count;
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "cc") == 0) {
        return native_compiler_driver(argc - 2, argv + 2);
    }
    string_list algorithms = {0};
    if (argc < 3 || !find_algorithms(argv[1], &algorithms)) {
        fprintf(stderr, "usage: explore_driver ALGORITHM[,ALGORITHM…] FILE.c…\n");
        return 2;
    }
    settings options = {.timeouts = TIMEOUTS_MAY};
    uint64_t max_steps = 0;
    bool prints = false;
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "--errors") == 0) {
            prints = true;
        } else if (strncmp(argv[i], "--max-steps=", 12) == 0) {
            max_steps = strtoull(argv[i] + 12, NULL, 10);
        } else if (driver_takes_rest(&options, argc, argv, i)) {
            break;
        }
    }
    char message[NATIVE_MESSAGE_SIZE];
    native_program program = driver_build(&options);
    for (uint32_t i = 0; i < algorithms.count; i++) {
        target *t = driver_load(&program, &options);
        if (!native_check_determinism(t, message)) {
            printf("%s: %s\n", vector_at(&algorithms, i), message);
        } else {
            explore(t, vector_at(&algorithms, i), max_steps, prints);
        }
        t->class->destroy(t);
    }
    native_remove(&program);
    vector_free(&algorithms);
    vector_free(&options.files);
    vector_free(&options.flags);
    return 0;
}
