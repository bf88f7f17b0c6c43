/* Running a target along other schedules than the one in which an error was found, to find out
 * whether the same error occurs there: what simplifying a schedule (report/simplify.h) and finding
 * the step after which the error cannot be avoided (report/doom.h) have in common.
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
    bool given_up; /* the target cannot be trusted, or the user waits: nothing more is run */
    uint32_t other_errors; /* that occurred in the last run */
    /* With versions (target.h): what explores execution graphs, and which. */
    const strategy_class *algorithm;
    enum memory_model model;
    uint64_t max_steps; /* of an execution */
} rerun;

/* Whether the error can be looked for in this way at all. */
bool rerun_is_possible(const found_error *);

/* Nothing more is to be run: no budget is left, or it was given up. */
bool rerun_is_over(const rerun *);

/* Steps the target by target_run, until a step is not possible or nothing more is to be run. True:
 * there was no next step. */
typedef struct rerun_hooks {
    /* The next step. */
    bool (*next)(void *context, step *);
    /* It has been taken, with this error or NULL; false ends the run. May be NULL. */
    bool (*after)(void *context, const program_error *error);
} rerun_hooks;

bool rerun_run(rerun *, const rerun_hooks *, void *context);

/* One of these errors is the one that is looked for; the others are counted. */
bool rerun_has_wanted(rerun *, const program_error *);

/* The error belongs to the end of the execution, and the target stands at such an end. */
bool rerun_ends_as_wanted(rerun *);

/* The target stands at the end of an execution, which does not have an error of the kind there. */
bool rerun_ended_well(const rerun *);

/* One of these errors is of the kind that is looked for. */
bool rerun_has_kind(const rerun *, const program_error *);

/* Resets the target and takes the steps; the number of steps after which the error was there, or
 * UINT32_MAX if it was not. */
uint32_t rerun_steps(rerun *, const step *steps, uint32_t count);

#endif
