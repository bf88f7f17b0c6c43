/* One or several workers that explore one program: the supervisor's half (member.h is the other
 * one).
 *
 * The first worker begins alone. When it has explored for a while, others are started, the more the
 * longer it takes; each loads the program for itself and says that it is ready. A worker without
 * work gets the oldest piece of another's, which stands for the most. The work that is out is a
 * list of stretches (stretch.h) in the order in which one worker would do it all; counts and errors
 * are kept by stretch, so that the result does not depend on how many workers there were, or on who
 * did what. Without -k, an error ends everything after its stretch, and what comes before is
 * explored to its end.
 *
 * For each stretch it is known what was left when its worker last said so. If the worker dies,
 * somebody else does that again, carefully: saying what comes next before each execution. If that
 * one dies as well, the exploration ends, and the report names the schedule that both died in.
 *
 * The same list is what a checkpoint has: at every moment it says what is done and what is left. */
#ifndef HEDDLE_CLI_TEAM_H
#define HEDDLE_CLI_TEAM_H

#include "base/forecast.h"
#include "cli/checkpoint.h"
#include "cli/stretch.h"
#include "cli/worker.h"
#include "report/progress.h"
#include "supervise/supervisor.h"

typedef struct team team;

/* What the team does not do itself. */
typedef struct team_settings {
    supervisor *supervisor;
    const role *role; /* of every worker; its functions are called with `context` */
    void *context;    /* of the role; has the assignment that a new process is forked with */
    assignment *assignment;
    uint32_t most; /* workers */
    double delay;  /* seconds that the first one explores alone */
    bool persists; /* work that ended the only process that there was is done again */
    progress *progress;
    checkpoint *checkpoint; /* begins with its stretches, if there are any; takes them over */
    const char *path;       /* where what is done and left is kept in a file, or NULL */
    double save_every;      /* seconds */
    uint32_t cut; /* not 0: nothing is done; what is left is cut into about so many pieces,
                     which the checkpoint has then */
} team_settings;

/* How it ended. */
typedef struct team_result {
    bool lost;           /* some work ended all workers that took it, or there was no process */
    child_report report; /* then: of the last one */
    uint32_t place;      /* and its witness */
    finding item;        /* and what it did, if `has_item` */
    bool has_item;
    counters counters; /* of all, as far as they are known */
    forecast forecast; /* how many executions there are in all */
    double seconds;    /* that the exploration took, with those before it was resumed */
    const char *alone; /* why there was only one worker, or NULL; valid until the team is freed */
    uint32_t workers;  /* how many there were at most at once */
    text_list deaths;  /* of workers whose work was done again */
    bool failed;       /* there was a message for the user */
    text unsaved;      /* why the file could not be written, if so */
} team_result;

team *team_run(const team_settings *, team_result *);
void team_free(team *, team_result *);

#endif
