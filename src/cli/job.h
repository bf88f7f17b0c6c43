/* What heddle has done in processes of their own, and what it hears from them (supervise/). A job
 * is one program: it is built, then explored or replayed. */
#ifndef HEDDLE_CLI_JOB_H
#define HEDDLE_CLI_JOB_H

#include "base/settings.h"
#include "cli/checkpoint.h"
#include "explore/strategy.h"
#include "report/outcome.h"
#include "report/writers/schedule.h"
#include "targets/native/native.h"

typedef struct job {
    const settings *settings;        /* what is checked, and how */
    const strategy_class *algorithm; /* to explore with */
    const schedule *schedule;        /* to replay, instead */
    checkpoint *resumed;             /* what to continue with, or NULL */
    bool keep;       /* the replay is silent, and what was built stays until job_free */
    uint32_t cut;    /* not 0: what that has left is only cut into about so many pieces */
    outcome outcome; /* of a replay: its finding, and where it diverged */
    bool diverged;
    char directory[NATIVE_PATH_SIZE]; /* if it is kept: where the build is, and the program */
    char path[NATIVE_PATH_SIZE];
} job;

/* Does it; what came out, whatever happened, is the outcome. */
void job_run(job *);
void job_free(job *);

#endif
