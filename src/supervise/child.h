/* A process that works for a supervisor, as seen from both sides. */
#ifndef HEDDLE_SUPERVISE_CHILD_H
#define HEDDLE_SUPERVISE_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "supervise/supervisor.h"

typedef struct child {
    pid_t process;
    int messages; /* for reading; -1: end of file */
    int errors;   /* its standard error output; -1: none, or end of file */
    int commands; /* for writing; -1: it takes no messages */
} child;

/* False if no process can be started. */
bool child_start(child *, const supervisor *, uint32_t place, const role *, void *context);

/* The processor time that it has used, in seconds, and whether it is ready to run: on a busy
 * machine it may be ready for a long time without making progress. False: unknown. */
bool child_effort(const child *, double *used, bool *ready);

/* Kills all processes of its group. */
void child_kill(const child *);

/* Kills what its descendants left running, too, except the processes that `is_known` names. The
 * child itself has been waited for. */
void child_clear(child *, bool (*is_known)(const void *context, pid_t), const void *context);

#endif
