/* What heddle does in separate processes, and the messages that they send (supervise/). A job is
 * one program: it is built, then explored or replayed. */
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
    checkpoint *resumed;             /* the checkpoint to continue, or NULL */
    bool keep;       /* the replay is silent, and what was built stays until job_free */
    uint32_t cut;    /* not 0: the work left in it is only cut into about this many pieces */
    outcome outcome; /* of a replay: its finding, and where it diverged */
    bool diverged;
    char directory[NATIVE_PATH_SIZE]; /* if it is kept: where the build is, and the program */
    char path[NATIVE_PATH_SIZE];
} job;

/* Runs the job; the outcome describes the result, whatever happened. */
void job_run(job *);
void job_free(job *);

#endif
