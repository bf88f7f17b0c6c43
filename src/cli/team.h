/* One or several workers that explore one program: the supervisor's half (member.h is the other
 * one).
 *
 * The first worker begins alone. When it has explored for a while, others are started, the more the
 * longer it takes; each loads the program itself and reports that it is ready. A worker without
 * work gets the oldest piece of another worker, which is the most work. The work is a list of
 * stretches (stretch.h) in the order in which one worker would do it all; counts and errors are
 * kept by stretch, so that the result does not depend on how many workers there were, or on which
 * worker did what. Without -k, an error ends everything after its stretch, and what comes before is
 * explored to its end.
 *
 * For each stretch it is known what was left when its worker last reported. If the worker dies,
 * another one does that again, carefully: it announces each execution before running it. If several
 * workers die in the same announced item, the exploration ends, and the report has the schedule
 * that they died in.
 *
 * A checkpoint contains the same list: at every moment it records what is done and what is left. */
#ifndef HEDDLE_CLI_TEAM_H
#define HEDDLE_CLI_TEAM_H

#include "base/forecast.h"
#include "cli/checkpoint.h"
#include "cli/stretch.h"
#include "cli/worker.h"
#include "report/progress.h"
#include "supervise/supervisor.h"

typedef struct team team;

/* What the caller of the team provides. */
typedef struct team_settings {
    supervisor *supervisor;
    const role *role; /* of every worker; its functions are called with `context` */
    void *context;    /* of the role; has the assignment that a new process is forked with */
    assignment *assignment;
    void (*report_again)(
        void *context); /* discards the findings of a report that was not finished */
    uint32_t most;      /* workers */
    double delay;       /* seconds that the first one explores alone */
    bool persists;      /* work that ended the only process is done again */
    progress *progress;
    checkpoint
        *checkpoint; /* the team begins with its stretches, if there are any, and takes them over */
    const char *path;  /* the file for checkpoints, or NULL */
    double save_every; /* seconds */
    uint32_t cut; /* not 0: nothing is explored; the work is cut into about this many pieces, which
                     go to the checkpoint */
} team_settings;

/* How it ended. */
typedef struct team_result {
    bool lost;           /* some work ended all workers that took it, or there was no process */
    child_report report; /* in that case: the status of the last one */
    uint32_t place;      /* and its witness */
    finding item;        /* and what it did, if `has_item` */
    bool has_item;
    uint64_t steps_left_out; /* steps of `item` that were not recorded */
    counters counters;       /* of all, as far as they are known */
    forecast forecast;       /* the estimated total number of executions */
    double seconds; /* seconds that the exploration took, including those before it was resumed */
    const char *alone; /* why there was only one worker, or NULL; valid until the team is freed */
    uint32_t workers;  /* the largest number of workers at one time */
    text_list deaths;  /* workers whose work was done again, in words */
    uint32_t more_deaths; /* more of them, which are not named */
    bool left;            /* some work is left */
    bool failed;          /* there was a message for the user */
    text unsaved;         /* why the file could not be written, if so */
} team_result;

team *team_run(const team_settings *, team_result *);
void team_free(team *, team_result *);

#endif
