/* What the two files of a team share: team.c hears from the workers, team_plan.c decides who does
 * what. */
#ifndef HEDDLE_CLI_TEAM_PLAN_H
#define HEDDLE_CLI_TEAM_PLAN_H

#include "base/witness.h"
#include "cli/ranks.h"
#include "cli/team.h"

typedef struct worker {
    team *team;
    uint32_t place;
    role role; /* of the process */
    uint32_t generation;
    watch *watch; /* NULL: there is no process */
    stretch *stretch;
    bool ready, asked, discarded, leads;
    bool unusable;                 /* no process can work at this place */
    bool saving;                   /* it was asked what is left, for the file */
    double poor_until, poor_pause; /* it had no work to give: when it is asked again */
    double saved;                  /* when it was last asked what is left */
    uint64_t reported;             /* executions that it has reported */
    bool forecasting;              /* it was asked how much is left */
    forecast left;                 /* what it has reported, */
    uint64_t left_at;              /* after so many executions */
    finding item;                  /* what it does, if it is careful */
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
    double started; /* when the first process was */
    double began;   /* when exploring was first seen; 0: not yet */
    uint32_t restarts, failures, turn;
    text alone;
    uint64_t peak_bytes;
    bool resumed;                 /* it began with what a file had */
    uint64_t executions;          /* for the next worker (membership) */
    double seconds_before;        /* that had been spent on that */
    enum exploration_end stopped; /* by a worker, for all: a limit; or EXPLORATION_COMPLETE */
    uint32_t pieces;              /* into which each stretch is cut */
    uint64_t reported_executions, stop_after;
    double save_at, save_by; /* when the file is due; when nobody is waited for */
    bool forecasting;        /* workers were asked how much is left */
    uint64_t forecast_due;   /* after so many executions they are asked again */
};

/* So many processes may end before they had work. */
enum { FAILURES_MOST = 2 };

/* Some process is there. */
bool team_has_workers(const team *);

/* All places that other ranks have; this one's come before and after. */
void team_add_places(team *);

/* Something has happened: work goes to whoever can do some. */
void team_arrange(team *);

/* A process on this machine that begins with a stretch from the beginning, or with nothing. NULL:
 * there is none. */
worker *team_start_worker(team *, stretch *whole);

/* The place is that of another rank (ranks.h); places have the numbers of the ranks. */
static inline bool worker_is_remote(const worker *w) {
    return w->place && w->place <= ranks_others();
}

/* The process goes at once, but for `but` all of them do. */
void team_dismiss_all(team *, const worker *but);

/* Forgets the stretches from number `index` on, and dismisses their workers. */
void team_cut(team *, uint32_t index);

/* The process is there, and what it sends counts. */
static inline bool worker_is_there(const worker *w) {
    return w->watch && !w->discarded;
}

const status_page *worker_status(const worker *);

/* It has work, and does it. */
static inline bool worker_explores(const worker *w) {
    return worker_is_there(w) && w->stretch && worker_status(w)->phase == PHASE_EXPLORING;
}

/* It may have work for others, or is about to. A program that reads what only one process can read
 * has none. */
static inline bool worker_may_give(const worker *w) {
    const status_page *status = worker_status(w);
    return w->stretch && !status->alone &&
           (status->phase == PHASE_EXPLORING || status->phase == PHASE_WAITING);
}

/* Nobody is to begin with anything. */
static inline bool team_is_stopped(const team *t) {
    return t->stopped || supervisor_interrupted(t->settings.supervisor);
}

/* That all has taken, with what was spent before. */
static inline double team_seconds(const team *t) {
    return t->seconds_before + (t->began ? monotonic_seconds() - t->began : 0);
}

/* What a process does that represents a worker on another rank; the context is that worker. */
void team_stand_in(void *context, channel *);

/* Writes the file, if there is one. */
void team_save(team *);

/* Asks the workers what is left and writes the file, whenever it is time (team_save.c). */
void team_save_in_time(team *);

/* Asks the workers how much is left, whenever there is much more to go by (team_forecast.c). */
void team_forecast_in_time(team *);

/* What a worker has reported. */
bool team_take_forecast(worker *, byte_reader *);

/* Of all workers, as far as they are known. */
uint64_t team_executions(const team *);

/* Asks whether there is work for others, or only what is left. */
void worker_ask(worker *, bool wanted);

#endif
