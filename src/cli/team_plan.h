/* What the files of a team share: team.c handles messages from the workers, team_plan.c decides
 * which worker does what, team_deaths.c handles the deaths of workers. */
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
    bool saving;                   /* it was asked what is left, for the checkpoint */
    double poor_until, poor_pause; /* it had no work to give: when it is asked again */
    double saved;                  /* when it was last asked what is left */
    uint64_t reported;             /* executions that it has reported */
    bool forecasting;              /* it was asked how much is left */
    forecast left;                 /* what it has reported */
    uint64_t left_at;              /* after this many executions */
    finding item;                  /* what it does, if it announces that */
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
    uint32_t lost_reports;     /* workers that died while they made the report */
    uint32_t fruitless_deaths; /* deaths of workers since the last progress */
    text alone;
    uint64_t peak_bytes;
    bool resumed;                 /* it began with what a file had */
    uint64_t executions;          /* for the next worker (membership) */
    double seconds_before;        /* that had been spent on that */
    enum exploration_end stopped; /* by a worker, for all: a limit; or EXPLORATION_COMPLETE */
    uint32_t pieces;              /* into which each stretch is cut */
    uint64_t reported_executions, stop_after;
    double save_at, save_by; /* when the checkpoint is due; when workers are no longer waited for */
    bool forecasting;        /* workers were asked how much is left */
    bool forecast_void;      /* some had given work away before they were */
    uint64_t forecast_due;   /* they are asked again after this many executions */
};

/* How many processes may end before they had work. */
enum { FAILURES_MOST = 2 };

/* There is some process. */
bool team_has_workers(const team *);

/* The number of places of other ranks; places of this rank come before and after them. */
void team_add_places(team *);

/* Something has happened: distributes work to workers that need some. */
void team_arrange(team *);

/* Starts a process on this machine, with a stretch from the beginning or with nothing. NULL: none
 * can be started. */
worker *team_start_worker(team *, stretch *whole);

/* The place is that of another rank (ranks.h); places have the numbers of the ranks. */
static inline bool worker_is_remote(const worker *w) {
    return w->place && w->place <= ranks_others();
}

/* Kills the process; the second kills all except `but`. */
void team_dismiss_all(team *, const worker *but);

/* Forgets the stretches from number `index` on, and dismisses their workers. */
void team_cut(team *, uint32_t index);

/* The process exists, and its messages count. */
static inline bool worker_is_there(const worker *w) {
    return w->watch && !w->discarded;
}

const status_page *worker_status(const worker *);

/* It has work, and does it. */
static inline bool worker_explores(const worker *w) {
    return worker_is_there(w) && w->stretch && worker_status(w)->phase == PHASE_EXPLORING;
}

/* It may have work for others now or soon. It has none if the program reads what only one process
 * can read. */
static inline bool worker_may_give(const worker *w) {
    const status_page *status = worker_status(w);
    return w->stretch && !status->alone &&
           (status->phase == PHASE_EXPLORING || status->phase == PHASE_WAITING);
}

/* No worker may begin anything. */
static inline bool team_is_stopped(const team *t) {
    return t->stopped || supervisor_interrupted(t->settings.supervisor);
}

/* The total time, including what was spent before. */
static inline double team_seconds(const team *t) {
    return t->seconds_before + (t->began ? monotonic_seconds() - t->began : 0);
}

/* The worker could not begin; its place is not used again. */
void team_note_failure(worker *, const char *why);

/* The process of the worker died: its work is done again, or the exploration ends. */
void team_handle_death(worker *, child_report *);

/* The work of a process that represents a worker on another rank; the context is that worker. */
void team_stand_in(void *context, channel *);

/* Writes the file, if there is one. */
void team_save(team *);

/* Asks the workers what is left and writes the checkpoint, whenever it is due (team_save.c). */
void team_save_in_time(team *);

/* Asks the workers how much is left, whenever much more is known (team_forecast.c). */
void team_forecast_in_time(team *);

/* Handles the report of a worker. */
bool team_take_forecast(worker *, byte_reader *);

/* Adds up the reports of all workers, as far as they are known. */
uint64_t team_executions(const team *);

/* Asks for work for others, or only for what is left. */
void worker_ask(worker *, bool wanted);

#endif
