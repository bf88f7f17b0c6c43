/* Work in a process of its own: its peak memory is its own, and what it does to the process ends
 * with it. */
#ifndef HEDDLE_BENCH_CHILD_H
#define HEDDLE_BENCH_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum child_end {
    CHILD_DONE,
    CHILD_FAILED,  /* it said why on the standard error output, or crashed */
    CHILD_TIMEOUT, /* it took more processor time than it was given */
};

/* `work` fills in a result of that size; false: it failed. */
typedef bool child_work(const void *request, void *result);

enum child_end child_run(child_work *, const void *request, void *result, size_t size,
                         uint32_t most_seconds);

typedef struct command_figures {
    int status;
    double seconds; /* of processor time */
    uint64_t peak_bytes;
} command_figures;

/* Runs another program, with its output in `output`. argv ends with NULL. */
enum child_end child_command(char *const *argv, FILE *output, uint32_t most_seconds,
                             command_figures *);

/* Peak memory of this process. What getrusage reports includes that of the process before exec. */
uint64_t child_peak_bytes(void);

#endif
