/* One execution, recorded step by step for reports: every step with its result, and the threads
 * that wait at the end.
 *
 * The exploration itself keeps no such record; it would cost time at every step. An error is kept
 * as its schedule, and the target is run along it again for the report. `heddle replay` is the same
 * thing with a schedule from a file. */
#ifndef HEDDLE_REPORT_TRACE_H
#define HEDDLE_REPORT_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "base/vector.h"
#include "core/execution.h"
#include "explore/strategy.h"
#include "explore/target.h"
#include "report/string_pool.h"

typedef VECTOR(step) step_list;

typedef struct trace_step {
    step step;
    uint8_t kind; /* enum operation_kind */
    bool acquired;
    bool failed;   /* an error happened in this step */
    bool missed;   /* in its access, which therefore has no value */
    bool lost;     /* what it wrote no longer exists after it: a local whose frame was left */
    uint32_t wide; /* number of bytes accessed if they are too many for `value`; else 0 */
    uint32_t object;
    uint32_t location;
    footprint footprint;
    uint64_t value;
    uint8_t order, failure;   /* enum access_order: of an atomic access, and where it fails */
    bool writes, after_known; /* of the only object that it accesses, a variable */
    uint64_t after;
    uint32_t name, description, after_words; /* among the trace's words */
} trace_step;

/* A thread that has an operation pending and cannot take it. */
typedef struct trace_wait {
    uint32_t thread;
    uint8_t kind;
    uint32_t object;
    uint32_t location;
    footprint footprint;
} trace_wait;

enum { TRACE_MOST_CALLS = 256 };

/* Where a thread is, and the calls that led there: locations, innermost first. */
typedef struct call_stack {
    uint32_t locations[TRACE_MOST_CALLS];
    uint32_t count;
} call_stack;

/* An error of the program that occurred in a step. */
typedef struct trace_error {
    enum error_kind kind;
    uint32_t thread;
    uint32_t location;
    text message;
    error_relation relations[ERROR_MOST_RELATIONS];
    uint32_t relation_count;
    call_stack stack;
} trace_error;

#define ERROR_NONE UINT32_MAX

typedef struct trace trace;

/* An observer that is notified before each step, or before the last step of a schedule, which may
 * end the process. Either function may be NULL. */
typedef struct trace_watch {
    void (*before_step)(void *context, const trace *, step);
    void (*before_last)(void *context, const trace *, step);
    void *context;
} trace_watch;

struct trace {
    target *target;
    const trace_watch *watch; /* NULL: nobody */
    VECTOR(trace_step) steps;
    text words;
    hash_index words_starts;
    bool wordless;                 /* the steps are only taken, and not described */
    execution execution;           /* the same steps, for what happens before what */
    struct trace_happens *happens; /* the same, with versions (trace_happens.h) */
    VECTOR(trace_wait) waits;      /* after trace_finish */
    uint32_t thread_count;
    bool maximal;              /* no thread is enabled at the end */
    enum target_ending ending; /* of a maximal one */
    uint32_t expected;         /* number of steps that will be taken; 0: unknown */
    call_stack before;         /* number of steps that the thread of the last one takes before it */
    VECTOR(trace_error) errors;
    uint32_t selected; /* the error that the trace is about, or ERROR_NONE: see trace_select */
};

/* Resets the target; plain accesses are steps, or shown as such. */
void trace_init(trace *, target *, enum target_accesses);
void trace_free(trace *);

/* Takes a step; false with the reason in `why` if the target cannot. */
bool trace_take(trace *, step, text *why);

/* Looks at who waits at the end, and selects what the trace is about: its deadlock if it ends in
 * one, else the last error. */
void trace_finish(trace *);

/* Of several errors, selects the one whose trace_ending is this; changes nothing if there is
 * none. */
void trace_select(trace *, const char *ending);

/* The selected error; NULL if it is a deadlock or there is none. */
const trace_error *trace_selected(const trace *);

/* Takes the plain accesses that belong to the step before, up to the one in which the error `until`
 * occurs (NULL: all of them). */
void trace_take_passing(trace *, const trace_error *until);

/* All of the above for a schedule that is known to be possible, and in which all accesses are
 * steps. */
void trace_run(trace *, target *, const step *steps, uint32_t count);

/* For a schedule in which plain accesses were made in passing: turns them into steps, in the
 * schedule and for the target. It ends with the error `until`, if that occurs in the last step.
 * `marked`, a number of steps, is updated to the new number of its last step, without the accesses
 * in passing. */
void trace_expand(target *, step_list *, const trace_error *until, uint32_t *marked);

/* The trace is about a deadlock: no thread can continue, and some are blocked forever. */
bool trace_deadlocked(const trace *);
/* A deadlock, or a livelock. */
enum error_kind trace_stuck_kind(const trace *);

/* What it is about, in one line that a replay can compare: "assertion MESSAGE", "deadlock", or
 * nothing. */
void trace_ending(const trace *, text *out);

/* The only variable that a step accesses, if it has read or written its value. */
bool trace_variable(const trace_step *, memory_access *);

/* "read x -> 0": what step number `index` did. */
void trace_describe(const trace *, uint32_t index, text *out);

/* What the only variable that it accesses holds after it, if that is known. */
void trace_describe_after(const trace *, uint32_t index, text *out);

/* The name of the object, or of the thread, that the step is about; "read x, write y" for a step
 * that touches several. */
void trace_name_object(const trace *, uint32_t index, text *out);

/* The same for what wait number `index` waits for. */
void trace_name_awaited(const trace *, uint32_t index, text *out);

/* Steps of this kind read, write or return a value. */
bool trace_has_value(enum operation_kind);

/* "lock left": what a thread does next. */
void describe_operation(target *, const operation *, text *out);
void describe_thread(target *, uint32_t thread, text *out);
/* The program's name for the thread; nothing if that is unknown. */
void describe_role(target *, uint32_t thread, text *out);

#endif
