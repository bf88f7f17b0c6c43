/* The half of a job that is done in processes of their own: the work of each role. None of them
 * returns anything but messages. */
#ifndef HEDDLE_CLI_WORKER_H
#define HEDDLE_CLI_WORKER_H

#include "cli/job.h"
#include "cli/member.h"
#include "supervise/channel.h"

/* What a process is given: it is forked from the supervisor, so it can look at it. */
typedef struct assignment {
    const job *job;
    char directory[NATIVE_PATH_SIZE]; /* for what is built, or "" */
    char path[NATIVE_PATH_SIZE];      /* what was built */
    uint64_t settings_checksum;       /* as the supervisor has it, */
    uint64_t own_checksum;            /* and as it was when this process was started */
    membership membership;            /* of a worker that is not alone */
    uint32_t workers;                 /* how many there may be at once */
} assignment;

void worker_build(const assignment *, channel *);
void worker_explore(const assignment *, channel *);
void worker_replay(const assignment *, channel *);

/* Changes as long as a process that explores gets on with its work. */
uint64_t worker_beat(const void *witness);

/* Where the process was that had the witness before. */
void worker_find_place(const assignment *, channel *);

#endif
