#include "bench/native_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench/child.h"

enum { RUNS = 1000 }; /* in one process */

/* Processor seconds of a command; below 0: it failed. */
static double run(char *const *argv, uint32_t most_seconds) {
    command_figures figures;
    FILE *output = tmpfile();
    bool done = output && child_command(argv, output, most_seconds, &figures) == CHILD_DONE &&
                figures.status == 0;
    if (output) {
        fclose(output);
    }
    return done ? figures.seconds : -1;
}

static bool build(const row *r, char *program, uint32_t most_seconds) {
    VECTOR(char *) argv = {0};
    text runs = {0};
    char *first[] = {"gcc",
                     "-std=gnu11",
                     "-O0",
                     "-pthread",
                     "-Dmain=shape_main",
                     "-o",
                     program,
                     "bench/c/shapes/native_main.c"};
    for (uint32_t i = 0; i < sizeof first / sizeof *first; i++) {
        vector_push(&argv, first[i]);
    }
    text_format(&runs, "-DNATIVE_RUNS=%d", RUNS);
    vector_push(&argv, (char *)text_string(&runs));
    for (uint32_t i = 0; i < r->definitions.count; i++) {
        vector_push(&argv, "-D");
        vector_push(&argv, (char *)vector_at(&r->definitions, i));
    }
    vector_push(&argv, (char *)text_string(&r->files[ROW_NATIVE]));
    vector_push(&argv, NULL);
    bool built = run(argv.items, most_seconds) >= 0;
    vector_free(&argv);
    text_free(&runs);
    return built;
}

double native_run_us(const row *r, uint32_t repeat, uint32_t most_seconds) {
    char program[] = "/tmp/heddle-bench-XXXXXX";
    int file = mkstemp(program);
    double least = 0;
    if (file < 0) {
        return 0;
    }
    close(file);
    char *argv[] = {program, NULL};
    bool built = build(r, program, most_seconds);
    for (uint32_t i = 0; built && i < repeat; i++) {
        double seconds = run(argv, most_seconds);
        least = i == 0 || (seconds >= 0 && seconds < least) ? seconds : least;
    }
    unlink(program);
    return least > 0 ? least / RUNS * 1e6 : 0;
}
