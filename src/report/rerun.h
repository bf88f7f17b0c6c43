/* Runs a target along schedules other than the one in which an error was found, to find out whether
 * the same error occurs there. Used for simplifying a schedule (report/simplify.h) and for finding
 * the step after which the error cannot be avoided (report/doom.h).
 *
 * The work is bounded: a budget counts the steps that are left. */
#ifndef HEDDLE_REPORT_RERUN_H
#define HEDDLE_REPORT_RERUN_H

#include <signal.h>

#include "report/collector.h"

typedef struct rerun {
    target *target;
    const found_error *error; /* that is looked for */
    uint64_t budget;          /* steps that may still be taken */
    volatile sig_atomic_t *interrupt;
    bool
        given_up; /* the target cannot be trusted, or the user wants to stop: nothing more is run */
    uint32_t other_errors; /* that occurred in the last run */
    /* With versions (target.h): what explores execution graphs, and which. */
    const strategy_class *algorithm;
    enum memory_model model;
    uint64_t max_steps; /* of an execution */
} rerun;

/* Whether the error can be searched for in this way at all. */
bool rerun_is_possible(const found_error *);

/* Nothing more may be run: the budget is used up, or it was abandoned. */
bool rerun_is_over(const rerun *);

/* Steps the target by target_run, until a step is not possible or nothing more may be run. True:
 * there was no next step. */
typedef struct rerun_hooks {
    /* The next step. */
    bool (*next)(void *context, step *);
    /* It has been taken, with this error or NULL; false ends the run. May be NULL. */
    bool (*after)(void *context, const program_error *error);
} rerun_hooks;

bool rerun_run(rerun *, const rerun_hooks *, void *context);

/* Whether one of these errors is the one searched for; counts the others. */
bool rerun_has_wanted(rerun *, const program_error *);

/* The error belongs to the end of an execution, and the target is at such an end. */
bool rerun_ends_as_wanted(rerun *);

/* The target is at the end of an execution, and there is no error of the kind there. */
bool rerun_ended_well(const rerun *);

/* One of these errors is of the kind searched for. */
bool rerun_has_kind(const rerun *, const program_error *);

/* Resets the target and takes the steps; returns the number of steps after which the error
 * occurred, or UINT32_MAX if it did not. */
uint32_t rerun_steps(rerun *, const step *steps, uint32_t count);

#endif
