/* The explorer: runs a target under a strategy until everything is covered or a sink stops it. */
#ifndef HEDDLE_EXPLORE_EXPLORATION_H
#define HEDDLE_EXPLORE_EXPLORATION_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/random.h"
#include "base/settings.h"
#include "core/execution.h"
#include "explore/exchange.h"
#include "explore/sink.h"
#include "explore/strategy.h"
#include "explore/survey.h"
#include "explore/target.h"

typedef struct exploration_limits {
    uint64_t max_steps;               /* of one execution; 0: no limit */
    bool stop_at_cut;                 /* the first execution that is cut short is the last */
    uint64_t max_executions;          /* executions that are cut short count; 0: no limit */
    volatile sig_atomic_t *interrupt; /* becomes nonzero when the user wants to stop; or NULL */
} exploration_limits;

enum exploration_end {
    EXPLORATION_COMPLETE,
    EXPLORATION_STOPPED,    /* by a sink */
    EXPLORATION_STEP_BOUND, /* an execution was cut short: incomplete */
    EXPLORATION_LIMIT,      /* max_executions */
    EXPLORATION_INTERRUPTED,
    EXPLORATION_UNSUITED, /* the strategy falls back to its fallback: start over with that */
    /* Work that came as bytes is not work of this program, or steps that were given are not. */
    EXPLORATION_FOREIGN,
};

#define EXPLORATION_ELSEWHERE UINT32_MAX /* the target is not at the end of the execution */

/* A thread that waited for an object when the latest access of that was `link` (link + 1, 0: it did
 * not wait), or that had ended after so many events. */
typedef struct held_thread {
    uint32_t object, link;
    uint32_t events;
} held_thread;

struct exploration {
    target *target;
    sink *sink;
    execution execution;
    VECTOR(step) script; /* being replayed */
    VECTOR(step) tried;  /* for exploration_probe_events */
    enum first_policy first;
    survey survey;             /* of the order to pick threads in, if there is one */
    sampling_choice sampling;  /* of the strategy that tries executions at random */
    uint64_t most_preemptions; /* of the one that bounds them */
    bool left_out;             /* whether that left something out */
    enum memory_model model;   /* of a strategy that has versions */
    const step
        *given; /* all executions begin with these steps; of a strategy that can follow them */
    uint32_t given_count;
    program_error refused; /* what the strategy cannot treat */
    char refusal[200];     /* its message */
    random_source random;
    bool shuffle; /* a strategy takes its work in random order: for tests */
    exploration_limits limits;
    exchange *exchange;    /* with whom work is shared, if the strategy has any; or NULL */
    uint64_t events;       /* steps taken that were not replays */
    bool has_errors;       /* some were reported */
    uint32_t known_length; /* how many steps of the next execution were taken in another one */
    uint32_t
        skipped; /* steps of the next execution that count although they need not be taken again */
    uint64_t replayed;      /* steps taken to come back to a place */
    uint32_t dont_do;       /* most sequences in don't-do sets at once, if the strategy has them */
    VECTOR(uint32_t) alive; /* by thread: itself, or, if it has ended, a later one to look at */
    VECTOR(held_thread) held; /* by thread: why it need not be looked at now */
    const operation *picked;  /* what the thread that was picked has pending; NULL: none was */
    uint32_t picked_thread;
    uint64_t executions_before; /* by others, if this exploration continues their work */
    uint64_t scout_due; /* run the next look ahead after this many executions (scout.h); 0: never */
    const strategy_class *scout; /* the strategy that runs it */
    bool records_values;         /* a strategy wants to know what the objects of accesses held */
    uint32_t
        target_length; /* how many events of `execution` the target has taken, if it follows it */
    uint32_t target_shared; /* how many of the target's steps are the first events of `execution` */
    uint64_t target_resets; /* as this exploration knows them */
    bool cut;               /* some execution was cut short, by max_steps or a limit */
    uint32_t cut_thread;    /* which thread took the last step of the first one */
    uint32_t cut_location;  /* and where */
    bool cut_by_target;     /* at a limit, not by max_steps */
};

void exploration_init(exploration *, target *, sink *);
void exploration_free(exploration *);

/* How a strategy treats plain accesses. */
enum target_accesses exploration_accesses(const target *, const strategy_class *);

enum exploration_end exploration_run(exploration *, const strategy_class *);

/* Prepares the target for this exploration again after another one has used it. */
void exploration_take_over(exploration *, const strategy_class *);

/* How many steps the current execution has; a pause stands for many accesses in passing. */
uint64_t exploration_weight(const exploration *);

/* Takes a pending step of the program and appends its event. Returns its position. */
uint32_t exploration_append(exploration *, step, const operation *pending, step_result *);

/* Whether the strategy would take that thread, which is enabled with that operation. */
typedef bool eligible_function(void *context, uint32_t thread, const operation *);

/* Accepts every thread. */
eligible_function exploration_takes_any;

/* A thread that is enabled and that `eligible` accepts, by the policy; false if there is none.
 * `refused` is set if an enabled thread was not accepted. */
bool exploration_pick(exploration *, eligible_function *eligible, void *context, uint32_t *thread,
                      bool *refused);

/* The execution is shorter than it was: threads that were known to have ended, or to wait, may not.
 */
void exploration_revive(exploration *);

/* A strategy plans steps that a thread has taken in another execution, and is right if the step
 * depends on its footprint alone. With an error an access may depend on unrelated steps (on whether
 * the frame of a dead local lies below the stack pointer); and accesses that race are promoted at
 * the end of an execution, but not of one that was cut, so that a loop may wait for a variable that
 * it is not known to read. Then a planned step may be impossible, and is left out. */
static inline bool exploration_plans_exactly(const exploration *x) {
    return !x->has_errors && !x->cut;
}

/* What the thread has pending after the current execution, or NULL. */
static inline const operation *exploration_pending(const exploration *x, uint32_t thread) {
    return x->picked && x->picked_thread == thread ? x->picked
                                                   : x->target->class->pending(x->target, thread);
}

/* What `thread` would have pending after the first `length` events and then `steps`. The answer is
 * valid until the target is used again. NULL: the thread has nothing pending there, or one of the
 * steps cannot be taken. The target is brought back where it was when it is needed next. */
const operation *exploration_probe(exploration *, uint32_t length, const step *steps,
                                   uint32_t step_count, uint32_t thread);

/* The same after the first `length` events and then the later events at these positions. */
const operation *exploration_probe_events(exploration *, uint32_t length, const uint32_t *positions,
                                          uint32_t count, uint32_t thread);

/* Brings the target to the state after the first `length` events. It is brought back where it was
 * when it is needed next. */
void exploration_revisit(exploration *, uint32_t length);

/* The state of the target is unknown: it starts over when it is needed next. */
void exploration_lose_position(exploration *);

/* What is known about the state of the target and the thread that was picked fits the execution;
 * for debug builds. */
void exploration_check(const exploration *);

/* Brings the target to the end of the execution. */
void exploration_return(exploration *);
static inline void exploration_synchronise(exploration *x) {
    if (x->target_length != execution_length(&x->execution)) {
        exploration_return(x);
    }
}

#endif
