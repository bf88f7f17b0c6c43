/* The first seam: what executes. An abstract program (targets/abstract/) or a native one.
 *
 * Threads are numbered densely from 0 in a way that does not depend on the schedule (by creator and
 * the creator's n-th creation), and so are objects and locations: equivalent executions show equal
 * numbers. Between two steps every thread is stopped before its next operation. */
#ifndef HEDDLE_EXPLORE_TARGET_H
#define HEDDLE_EXPLORE_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/operation.h"
#include "explore/step.h"

typedef struct target target;
struct bytes;
struct byte_reader;

/* Declared once; the words are those of the JSON output. */
#define ERROR_KINDS(X)                                                                             \
    X(ERROR_ASSERTION, "assertion")                                                                \
    X(ERROR_ABORT, "abort")                                                                        \
    X(ERROR_CRASH, "crash")                                                                        \
    X(ERROR_DEADLOCK, "deadlock")                                                                  \
    X(ERROR_LIVELOCK, "livelock")                                                                  \
    X(ERROR_HANG, "hang")                                                                          \
    X(ERROR_DATA_RACE, "data-race")                                                                \
    X(ERROR_USE_AFTER_FREE, "use-after-free")                                                      \
    X(ERROR_DOUBLE_FREE, "double-free")                                                            \
    X(ERROR_INVALID_FREE, "invalid-free")                                                          \
    X(ERROR_OVERFLOW, "overflow")                                                                  \
    X(ERROR_UNINITIALISED, "uninitialised")                                                        \
    X(ERROR_MISUSE, "misuse")                                                                      \
    X(ERROR_EXIT_STATUS, "exit-status")                                                            \
    X(ERROR_LEAK, "leak")                                                                          \
    /* Not errors of the program: a call that heddle cannot control, a step that took too long. */ \
    X(ERROR_UNSUPPORTED, "unsupported")                                                            \
    X(ERROR_UNFINISHED, "unfinished")

#define ERROR_ENUM(kind, word) kind,
enum error_kind { ERROR_KINDS(ERROR_ENUM) ERROR_KIND_COUNT };
#undef ERROR_ENUM

const char *error_word(enum error_kind kind);

/* Another place that an error is about: the other access of a race, where a block was allocated. */
typedef struct error_relation {
    const char *what; /* "allocated": a constant */
    uint32_t thread;
    uint32_t location;
} error_relation;

enum { ERROR_MOST_RELATIONS = 2 };

typedef struct program_error {
    enum error_kind kind;
    uint32_t thread;
    uint32_t location;
    const char *message; /* the target's; valid until the next step or reset */
    error_relation relations[ERROR_MOST_RELATIONS];
    uint32_t relation_count;
    const step
        *steps; /* of an error at the start that shows in a run of these steps; NULL: it has none */
    uint32_t step_count;
    bool missed; /* in the access of the step itself, which has therefore not read or written
                    anything */
    const struct program_error
        *next; /* another error of the same step (in a child that it started) */
} program_error;

/* What a step did, beyond the operation that was pending. */
typedef struct step_result {
    uint64_t value;             /* read, returned or written; for reports and outcomes */
    bool acquired;              /* nobody held the mutex before: a lock, a re-lock, a trylock that
                                   got it, its initialisation and destruction, an unlock in error */
    bool lost;                  /* what was written no longer exists, nor does `value`: a local */
    const program_error *error; /* NULL if none; the thread has then ended */
} step_result;

/* How a maximal execution ended. */
enum target_ending {
    ENDING_COMPLETE,       /* every thread ended (or failed, or only waits after exit) */
    ENDING_ASSUME_BLOCKED, /* some thread is stopped at an assume that failed */
    ENDING_DEADLOCK,       /* none does, and some thread is blocked forever */
    ENDING_LIVELOCK,       /* the same, and all of these are in spin loops */
    /* Some thread waits in a spin loop that it could leave: what it does then is explored
     * elsewhere, and this execution does not count (docs/ALGORITHMS.md). */
    ENDING_ARTIFACT,
};

/* Some threads are blocked forever. */
static inline bool ending_is_stuck(enum target_ending ending) {
    return ending == ENDING_DEADLOCK || ending == ENDING_LIVELOCK;
}

static inline bool error_is_stuck(enum error_kind kind) {
    return kind == ERROR_DEADLOCK || kind == ERROR_LIVELOCK;
}

/* No object has a greater number. */
#define TARGET_MOST_OBJECTS ((1u << 28) - 1)

/* The target's names for things that are numbered as they are first seen, for bytes that leave the
 * process: the same in every process that runs the program. Decoding trusts nothing; impossible
 * values make the reader fail. */
typedef struct target_names {
    /* The number of numbered threads. */
    uint32_t (*thread_count)(target *);
    /* What the target has learnt about the program: its threads, and what is shared. Decoding it in
     * the middle of an exploration makes nothing stale: the sender has started over since it was
     * learnt. */
    void (*encode_knowledge)(target *, struct bytes *);
    void (*decode_knowledge)(target *, struct byte_reader *);
    void (*encode_object)(target *, uint32_t object, struct bytes *);
    uint32_t (*decode_object)(target *, struct byte_reader *);
    void (*encode_location)(target *, uint32_t location, struct bytes *);
    uint32_t (*decode_location)(target *, struct byte_reader *);
} target_names;
/* How the explorer treats a plain access, which is not atomic. Data races are errors, so that in a
 * program without them nothing depends on the order of plain accesses that synchronisation does not
 * give already; docs/ALGORITHMS.md has the argument. */
enum target_accesses {
    ACCESSES_ARE_STEPS,
    /* Part of the step before it, in passing, except at places that were promoted. */
    ACCESSES_IN_PASSING,
    /* For reports: the accesses that would be in passing are steps as well, marked with
     * OPERATION_PASSING, to be taken before any other step. */
    ACCESSES_SHOWN,
};

typedef struct target_class {
    /* Back to the initial state; counts in target.resets. */
    void (*reset)(target *);
    /* Goes back to a state that it was in since the last reset: the state after at most `length` of
     * the steps since then, as many as possible without replaying. Returns how many. NULL: the
     * target can only be reset. */
    uint32_t (*back)(target *, uint32_t length);
    /* Error i of local code that runs before any step, or NULL. The function may be NULL. */
    const program_error *(*start_error)(target *, uint32_t i);
    /* Threads that exist now; smaller numbers may belong to threads that have not been created
     * yet. */
    uint32_t (*thread_count)(target *);
    /* The next operation of a thread with its enabledness and footprint in the current state, or
     * NULL for one that ended, was never created, or is stopped forever. Good until the next step,
     * or until the target is put elsewhere. */
    const operation *(*pending)(target *, uint32_t thread);
    /* Takes the pending operation of an enabled thread with one of its alternatives. */
    void (*step)(target *, uint32_t thread, uint32_t choice, step_result *result);
    /* Takes steps whose results are known. May be NULL: `step` is then used. */
    void (*replay)(target *, const step *steps, uint32_t count);
    /* How an execution with no enabled thread ended. */
    enum target_ending (*ending)(target *);

    /* Error i of an execution that ended complete, or NULL: what is wrong with its end. May be
       NULL. */
    const program_error *(*end_error)(target *, uint32_t i);

    /* The value of an object, for objects that are memory (others: unspecified). May be NULL, if no
     * operation of the target compares (target.compares). */
    uint64_t (*value)(target *, uint32_t object);
    /* Whether the pending operation of a thread, which is in a spin loop (OPERATION_SPINS), could
     * be taken if its object held `value`, and everything else were unchanged. NULL: no operation
     * is in a spin loop. */
    bool (*opens)(target *, uint32_t thread, uint64_t value);

    /* From the next reset on, overwritten values of an object are kept: it has versions, in an
     * order that need not be that of the steps. Operations on memory, and attempts to lock, then
     * have them as alternatives, counted from the latest, which is 0: a read returns that version,
     * a write comes right after it, a read-modify-write both. So a schedule contains everything
     * that a replay has to know about a weak memory model. NULL: not supported. */
    void (*keep_versions)(target *, bool keep);
    /* What the pending operation of a thread would write to its object if it read `old`; false:
     * nothing. NULL together with keep_versions, as is the next function: */
    bool (*written)(target *, uint32_t thread, uint64_t old, uint64_t *value);
    /* The initial value of the object of a thread's pending operation. */
    uint64_t (*initial)(target *, uint32_t thread);
    /* How often that object was reinitialised in this execution: earlier accesses to it happen
     * before all later ones, or the target reports an error. NULL: that never happens. */
    uint32_t (*generation)(target *, uint32_t thread);
    /* The pending operation of a thread, which may spin (OPERATION_SPINS), would complete a round
     * without effect if it read `old`: it waits instead. With versions, such an operation, and an
     * await, is enabled if it continues with the latest one; it may be taken with another one,
     * too. */
    bool (*waits)(target *, uint32_t thread, uint64_t old);

    /* From the next reset on, memory orders at some places are changed, until this is called again;
     * to try changes out. NULL: not supported. */
    void (*change_orders)(target *, const order_change *, uint32_t count);

    /* States: NULL if not supported. `save` writes state_size(target) bytes. `back` does not go
     * back over a `restore`. */
    size_t (*state_size)(target *);
    void (*save)(target *, void *state);
    void (*restore)(target *, const void *state);
    bool (*equal)(target *, const void *state, const void *other);
    /* States will be compared: from the next reset on, equal steps leave equal garbage. May be
     * NULL. */
    void (*expect_comparisons)(target *);
    /* Only what belongs to the thread alone. May be NULL. */
    bool (*equal_thread)(target *, const void *state, const void *other, uint32_t thread);

    /* NULL: the numbers of threads, objects and locations are the same in every process. */
    const target_names *names;
    /* From the next reset on. May be NULL: there are no plain accesses. */
    void (*treat_accesses)(target *, enum target_accesses);
    /* Plain accesses at places that have raced become steps, from the next treat_accesses on. True
       if some of them are new: what was explored is stale. NULL together with it. */
    bool (*promote)(target *);

    /* For reports. */
    void (*describe_thread)(target *, uint32_t thread, FILE *out);
    void (*describe_object)(target *, uint32_t object, FILE *out);
    /* The larger object that begins with this one: "q" where the object is "q->head". May be NULL:
     * the object itself. */
    void (*describe_whole)(target *, uint32_t object, FILE *out);
    /* What exactly an access accesses, perhaps a part of the object. May be NULL: the object. */
    void (*describe_access)(target *, memory_access, FILE *out);
    /* The meaning of a value in the accessed bytes; false: print the number. May be NULL. */
    bool (*describe_value)(target *, memory_access, uint64_t value, FILE *out);
    /* The contents of several objects that were accessed at once, nothing if that is of no use to
     * readers; false: it is too long. May be NULL. */
    bool (*describe_range)(target *, footprint, FILE *out);
    /* What the access at this location was meant to access, if there is no object at its address:
     * "n->next (n is NULL)"; false if unknown. May be NULL. */
    bool (*describe_missing)(target *, uint32_t object, uint32_t location, bool writes, FILE *out);
    /* File and line of a location; false if unknown. */
    bool (*describe_location)(target *, uint32_t location, const char **file, uint32_t *line);
    /* The column of a location, from 1; 0 if unknown. May be NULL. */
    uint32_t (*describe_column)(target *, uint32_t location);
    /* The function that a location is in; NULL if unknown. May be NULL. */
    const char *(*describe_function)(target *, uint32_t location);
    /* What the program calls a thread, or the function that it starts with; nothing if there is
     * neither. May be NULL. */
    void (*describe_role)(target *, uint32_t thread, FILE *out);
    /* Where a thread is, or has failed: the location in its innermost function, then those of the
     * calls that led there, as far as known and at most `most`. Returns how many. May be NULL. */
    uint32_t (*call_stack)(target *, uint32_t thread, uint32_t *locations, uint32_t most);
    /* Something private to a thread that turned out to be shared, or a plain access that was
       promoted, which makes more steps: number i of them, as a word for schedules; false if there
       are no more. May be NULL. */
    bool (*describe_shared)(target *, uint32_t i, FILE *out);
    /* The variable that a thread reads in the loop that it spins in, if that is not the object of
       its operation (under a mutex, that is the mutex); or 0. May be NULL. */
    uint32_t (*polled)(target *, uint32_t thread);
    /* What the pending operation of a thread itself accesses: its footprint may have more, that
       decides whether some thread waits. May be NULL: it has not. */
    footprint (*accessed)(target *, uint32_t thread);
    void (*destroy)(target *);
} target_class;

struct target {
    const target_class *class;
    uint64_t resets; /* so far; shows a user of `back` that another one has used the target */
    bool stale;      /* see target_make_stale */
    /* Set by a step: it has reached a limit (base/limit.h), and the execution ends there. The rest
     * of the execution is not covered. Cleared by the explorer. */
    bool cut;
    /* Set by the explorer: read-write locks, and semaphores that are tried, order only what they
     * must. If false, more of their operations conflict, which is also correct and gives more
     * executions, but suits every strategy. */
    bool fine;
    /* Set by the explorer: what plain accesses are, and whether places were promoted. */
    enum target_accesses accesses;
    bool promoted;
    bool trial; /* set by the explorer: these executions do not count, and no place is promoted */
    bool versions; /* see keep_versions */
    bool mixed;    /* some memory is accessed both atomically and plainly, which it cannot keep
                      versions of */
    bool weakly;   /* some access was made with a weaker order than seq_cst */
    /* With versions: some lock waits for what is written under it, so that whether it goes on is
       known only when all that comes before it was executed. */
    bool polls;
    /* Some step can be blocked by several things at once (an atomic section that locks): algorithms
     * that reverse one race at a time may miss behaviours of it, and an exhaustive one is
     * needed. */
    bool needs_all;
    /* Some step may compare what an object holds with what it expects (a compare-and-swap, an
     * await): only then is `value` needed. */
    bool compares;
    /* Some thread waits in a spin loop (OPERATION_SPINS). What was explored until that was learnt
       is stale. */
    bool spins;
    /* Some thread does so by a try that succeeds: whether that continues follows from what the lock
     * protects as well. */
    bool spins_by_tries;
    /* Some objects are numbered as they are first seen and have no names: their numbers mean
     * nothing to other processes. */
    bool nameless;
};

/* A target learns about the program while it runs: that memory which it took for private is shared,
 * that plain accesses race and have to be steps (`promoted`), that the operations of an object
 * conflict in more ways than it assumed, `needs_all`, `compares`. What was explored without knowing
 * that is worthless, and so is every plan for it: it is stale, and everything starts over. A target
 * that learns such a thing calls this function; there is no other way. What was learnt must be part
 * of `encode_knowledge`, or every process that takes work would have to learn it itself. */
static inline void target_make_stale(target *t) {
    t->stale = true;
}

/* After exploring or following a schedule, the caller asks whether it has to start over. Asking
 * clears the mark. */
static inline bool target_take_stale(target *t) {
    bool stale = t->stale;
    t->stale = false;
    return stale;
}

/* Error i of local code before any step, or of a complete end; NULL: there are no more. */
const program_error *target_start_error(target *, uint32_t i);
const program_error *target_end_error(target *, uint32_t i);

/* Why a step cannot be taken now. */
enum step_obstacle {
    STEP_POSSIBLE,
    STEP_WITHOUT_THREAD, /* it has not been created */
    STEP_AFTER_END,      /* of its thread, or where that was stopped */
    STEP_BLOCKED,
    STEP_WITHOUT_CHOICE, /* the pending operation has no such alternative */
};

/* The operation, which is pending, can be taken with that alternative: it is enabled or, with
 * versions, may continue with a version other than the latest. */
static inline bool target_may_take(const target *t, const operation *op, uint32_t choice) {
    bool awaits = operation_has_role(op->kind, ROLE_AWAITS) || op->flags & OPERATION_SPINS;
    return operation_enabled(op) ||
           (t->versions && awaits && choice > 0 && choice < op->choice_count);
}

/* Also stores the pending operation of the thread if it has one. */
enum step_obstacle target_find_obstacle(target *, step, const operation **pending);

/* Steps are replayed, tried out, compared and recorded by target_run. The differences are in these
 * functions; the first that returns false ends the run. There are two exceptions: the explorer asks
 * a strategy after every step, and hooks would cost it up to 5 %; a trace (report/trace.h) is taken
 * step by step, and its callers look at it in between. */
typedef struct step_hooks {
    /* The next step. It must be possible, unless `before` checks that. */
    bool (*next)(void *context, step *);
    /* It is about to be taken. May be NULL. */
    bool (*before)(void *context, step);
    /* It has been taken. May be NULL. */
    bool (*after)(void *context, const step_result *);
} step_hooks;

/* True: there was no next step. */
static inline bool target_run(target *t, const step_hooks *hooks, void *context) {
    step next;
    step_result result;
    while (hooks->next(context, &next)) {
        if (hooks->before && !hooks->before(context, next)) {
            return false;
        }
        t->class->step(t, next.thread, next.choice, &result);
        if (hooks->after && !hooks->after(context, &result)) {
            return false;
        }
    }
    return true;
}

/* A `next` that goes through a list; its context begins with it. */
typedef struct step_range {
    const step *at, *end;
} step_range;

static inline bool step_range_next(void *context, step *next) {
    step_range *list = context;
    if (list->at == list->end) {
        return false;
    }
    *next = *list->at++;
    return true;
}

/* Takes steps that are possible and whose results are known. */
void target_replay(target *, const step *, uint32_t count);

#endif
