/* A process that works for a supervisor, as seen from both sides. */
#ifndef HEDDLE_SUPERVISE_CHILD_H
#define HEDDLE_SUPERVISE_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "supervise/supervisor.h"

typedef struct child {
    pid_t process;
    int messages; /* to be read; -1: at its end */
    int errors;   /* its standard error output; -1: none, or at its end */
    int commands; /* to be written; -1: it takes none */
} child;

/* False if there can be no more processes. */
bool child_start(child *, const supervisor *, uint32_t place, const role *, void *context);

/* The processor time that it has used, in seconds, and whether it is ready to run: on a busy
 * machine it may be ready for long without getting on. False: nothing is known of it. */
bool child_effort(const child *, double *used, bool *ready);

/* All processes of its group end at once. */
void child_kill(const child *);

/* What its descendants left running ends too, but for the processes that `is_known` names. The
 * child itself has been waited for. */
void child_clear(child *, bool (*is_known)(const void *context, pid_t), const void *context);

#endif
