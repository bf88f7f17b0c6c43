/* How far an exploration scales: records the tree of its work, and simulates teams of 1 to 10,000
 * workers with what moving work costs.
 *
 *     heddle-scaling [-DNAME=VALUE…] FILE         prints a table; bench/scaling/plot draws it
 *
 * The costs are measured here as far as they can be: a step, an item as bytes, a message through a
 * pipe. The others are given in seconds by the environment: SCALING_MPI (a message between ranks),
 * SCALING_HANDLE and SCALING_HANDLE_MORE (what the supervisor does for a message, and for each
 * worker). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "bench/scaling/simulation.h"

static int compare(const void *a, const void *b) {
    double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

/* One way; of many, one that was not disturbed: the machine may have other things to do. */
static double measure_pipe(void) {
    enum { TIMES = 2000 };
    static double times[TIMES];
    int there[2], back[2];
    char byte = 0;
    if (pipe(there) != 0 || pipe(back) != 0) {
        return 0;
    }
    if (fork() == 0) {
        close(there[1]);
        while (read(there[0], &byte, 1) == 1 && write(back[1], &byte, 1) == 1) {
        }
        _exit(0);
    }
    for (uint32_t i = 0; i < TIMES; i++) {
        double began = monotonic_seconds();
        if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1) {
            break;
        }
        times[i] = (monotonic_seconds() - began) / 2;
    }
    close(there[1]);
    wait(NULL);
    qsort(times, TIMES, sizeof *times, compare);
    return times[TIMES / 10];
}

static double given(const char *variable, double otherwise) {
    const char *value = getenv(variable);
    return value ? strtod(value, NULL) : otherwise;
}

static void print_costs(const item_tree *t, const costs *c, double mpi) {
    printf("# executions %u, steps %llu, seconds %.2f\n", t->nodes.count,
           (unsigned long long)t->steps, t->seconds);
    printf(
        "# a step %.0f ns, an item %.0f ns and %.0f bytes, a pipe %.1f us, MPI %.1f us, "
        "the supervisor %.1f us and %.3f us per worker\n",
        c->step * 1e9, c->item * 1e9,
        (double)t->move_bytes / (double)(t->items_moved ? t->items_moved : 1), c->message * 1e6,
        mpi * 1e6, c->handle * 1e6, c->handle_more * 1e6);
}

/* `longer`: steps of the program take so much longer than they do here. */
static void print_series(const char *name, const item_tree *t, costs c, double longer) {
    static const uint32_t teams[] = {1,   2,   4,   8,    16,   32,   64,
                                     128, 256, 512, 1000, 2000, 4000, 10000};
    c.step *= longer;
    double alone = simulate(t, &c, 1).seconds;
    for (uint32_t i = 0; i < sizeof teams / sizeof *teams; i++) {
        simulated s = simulate(t, &c, teams[i]);
        printf("%s %u %.4f %.3f %llu %.3f\n", name, teams[i], s.seconds,
               alone / s.seconds / teams[i], (unsigned long long)s.given, s.supervisor / s.seconds);
        fflush(stdout);
    }
}

int main(int argc, char **argv) {
    settings s = {0};
    item_tree t;
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "-D", 2) == 0) {
            vector_push(&s.definitions, argv[i] + 2);
        } else {
            vector_push(&s.files, argv[i]);
        }
    }
    if (s.files.count != 1 || !item_tree_record(&t, &s)) {
        fprintf(stderr, "usage: heddle-scaling [-DNAME=VALUE] FILE.heddle\n");
        return 2;
    }
    costs c = {.step = t.seconds / (double)t.steps,
               .item = t.items_moved ? t.move_seconds / (double)t.items_moved : 0,
               .message = measure_pipe(),
               .handle = given("SCALING_HANDLE", 12e-6),
               .handle_more = given("SCALING_HANDLE_MORE", 0.26e-6),
               .poor_least = 0.001,
               .poor_most = 0.02};
    costs far = c;
    far.message = given("SCALING_MPI", 1e-3);
    print_costs(&t, &c, far.message);
    printf("# series workers seconds efficiency given supervisor\n");
    print_series("pipe", &t, c, 1);
    print_series("pipe-long", &t, c, 100);
    print_series("mpi", &t, far, 1);
    print_series("mpi-long", &t, far, 100);
    item_tree_free(&t);
    return 0;
}
