/* The half of a job that is done in separate processes: the work of each role. They return nothing;
 * they send messages. */
#ifndef HEDDLE_CLI_WORKER_H
#define HEDDLE_CLI_WORKER_H

#include "cli/job.h"
#include "cli/member.h"
#include "supervise/channel.h"

/* The assignment of a process. It is forked from the supervisor, so it can read it. */
typedef struct assignment {
    const job *job;
    char directory[NATIVE_PATH_SIZE]; /* for what is built, or "" */
    char path[NATIVE_PATH_SIZE];      /* what was built */
    uint64_t settings_checksum;       /* as the supervisor has it, */
    uint64_t own_checksum;            /* as it was when this process was started */
    membership membership;            /* of a worker that is not alone */
    uint32_t workers;                 /* the largest number of workers at one time */
} assignment;

void worker_build(const assignment *, channel *);
void worker_explore(const assignment *, channel *);
void worker_replay(const assignment *, channel *);

/* Changes as long as a process that explores makes progress. */
uint64_t worker_beat(const void *witness);

/* Finds where the process was that had the witness before. */
void worker_find_place(const assignment *, channel *);

#endif
