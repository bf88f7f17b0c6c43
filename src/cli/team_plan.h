/* What the two files of a team share: team.c hears from the workers, team_plan.c decides who does
 * what. */
#ifndef HEDDLE_CLI_TEAM_PLAN_H
#define HEDDLE_CLI_TEAM_PLAN_H

#include "cli/team.h"

typedef struct worker {
    team *team;
    uint32_t place;
    watch *watch; /* NULL: there is no process */
    stretch *stretch;
    bool ready, asked, discarded, leads;
    double poor_until;
    double saved;      /* when it was last asked what is left */
    uint64_t reported; /* executions that it has reported */
    finding item;      /* what it does, if it is careful */
    bool has_item;
} worker;

struct team {
    team_settings settings;
    role role;
    stretch_list stretches;
    VECTOR(worker *) workers; /* by place */
    team_result *result;
    worker *reporter;
    bool finishing, reported, failed;
    double began; /* when exploring was first seen; 0: not yet */
    uint32_t restarts, failures, turn;
    text alone;
    bytes warnings; /* of those who have quit */
    uint32_t warning_count;
    bool unseen;
    uint64_t peak_bytes;
};

/* Something has happened: whoever can do something is told to. */
void team_arrange(team *);

/* A process that begins with a stretch from the beginning, or with nothing. NULL: there is none. */
worker *team_start_worker(team *, stretch *whole);

/* The process goes at once, but for `but` all of them do. */
void team_dismiss_all(team *, const worker *but);

/* Forgets the stretches from number `index` on, and dismisses their workers. */
void team_cut(team *, uint32_t index);

/* The process is there, and what it says counts. */
static inline bool worker_is_there(const worker *w) {
    return w->watch && !w->discarded;
}

const status_page *worker_status(const worker *);

#endif
