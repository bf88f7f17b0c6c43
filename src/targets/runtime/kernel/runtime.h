/* The runtime: what runs inside the user's program. Its rules:
 *
 * 1. Its functions run on the stacks of fibers, in the middle of the user's code. They allocate
 *    nothing from the user's heap, and on the path of an event they allocate nothing at all.
 * 2. They touch the user's memory before they change the runtime's own state: such a touch may
 *    fault, and then the fiber is abandoned in the middle.
 * 3. While the program runs they print nothing but what the program prints in a replay, end no
 *    process, and read no configuration but `runtime.settings`. (Before, when the runtime is
 *    opened, an address space that is too small is found, and the switches of the checkers are
 *    read from the environment: undo_check.h, reset_check.h. Where no fiber runs, in a library's
 *    constructor, exit and abort are those of libc.)
 * 4. What an operation does, it does after it was announced: runtime_prepare() describes it, and
 *    runtime_park() leaves the fiber and returns when the step is taken.
 * 5. Everything that belongs to one execution is reachable from `runtime`, and restored by
 *    runtime_reset(); what must be the same in equivalent executions (numbers of threads, objects,
 *    locations, heap addresses) outlives the execution.
 *
 * One process has one runtime: the instrumented code calls back without an argument. */
#ifndef HEDDLE_TARGETS_RUNTIME_KERNEL_RUNTIME_H
#define HEDDLE_TARGETS_RUNTIME_KERNEL_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/check.h"
#include "base/random.h"
#include "base/settings.h"
#include "base/witness.h"
#include "core/operation.h"
#include "explore/target.h"
#include "targets/runtime/kernel/fiber.h"
#include "targets/runtime/kernel/thread_loops.h"
#include "targets/runtime/kernel/undo.h"

#define likely(condition)   __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)

/* The object of an operation on memory, for reports, also has the byte within the granule (plus
 * one; 0: unknown); that is no part of the number in footprints. */
#define OBJECT_OFFSET_SHIFT    28
#define OBJECT_NUMBER_MASK     ((1u << OBJECT_OFFSET_SHIFT) - 1)
#define OBJECT_OFFSET(address) ((uint32_t)(((address)&7) + 1) << OBJECT_OFFSET_SHIFT)

enum thread_status {
    THREAD_NONE,
    THREAD_LIVE,
    THREAD_ENDED,   /* returned or pthread_exit: can be joined */
    THREAD_GONE,    /* failed, or ended the process: its end is not observable */
    THREAD_STOPPED, /* in an assume that failed, or at a limit */
};

struct pollfd;
/* What an atomic operation of up to 16 bytes reads or writes. */
__extension__ typedef unsigned __int128 version_value;

typedef struct runtime_thread runtime_thread;

/* How a pending operation depends on what the others do; every primitive has its own rule. */
typedef struct refresh_rule {
    /* Brings the pending operation of a thread up to date with the current state. */
    void (*update)(runtime_thread *);
    bool before_step;                          /* also right before its step, which relies on it */
    uint64_t (*timer)(const runtime_thread *); /* when the first that it waits for expires */
} refresh_rule;

/* Beyond every number of accesses: frames were left whose place others may take (frame.h). */
#define PASSING_LOOK (1u << 31)

enum { HEAP_CLASS_COUNT = 96, RUNTIME_KEYS = 128, THREAD_NAME_SIZE = 16, SPIN_PAST = 16 };

typedef struct runtime_heap {
    uintptr_t next;      /* the first byte never handed out */
    uintptr_t limit;     /* end of what is accessible; outlives the execution */
    uintptr_t touched;   /* end of what earlier executions may have written */
    uintptr_t filled;    /* bytes of blocks that were filled with a pattern, so far */
    uint32_t wide_count; /* of the blocks in order of their addresses; see heap.h */
    uint32_t live_count; /* blocks that it has allocated, less those
                            that it has freed, which others may have allocated */
    bool freed;          /* some list of free blocks is not empty */
    bool large;          /* there are large blocks, which start out as zeroes */
    uintptr_t free_blocks[HEAP_CLASS_COUNT];
} runtime_heap;

struct runtime_thread {
    fiber_context context;
    operation pending;
    uint32_t number;
    uint32_t events;             /* steps taken */
    uint32_t unit, record_unit;  /* of the log (undo.h): in which it, or only this, was logged */
    uint32_t choice;             /* of the step being taken */
    uint32_t passed;             /* plain accesses in passing since its latest other step, and: */
    uint32_t spin_run;           /* steps in a row that may be void (spin.h) */
    const refresh_rule *refresh; /* NULL: the pending operation does not depend on other threads */
    uint8_t status;
    bool acquired; /* result of the step being taken */
    bool timed;    /* waits with a time-out */
    bool woken;
    bool detached;
    bool joined;    /* or a thread is about to do so, and: */
    bool gone;      /* its join has returned: its name means nothing */
    bool versioned; /* its pending operation is one that versions.h looks after */
    bool tail_used; /* something in the tail, but for free blocks, is not zero, or was not */

    /* Its own memory: stack and thread-local block. No other thread accesses it until it is marked
     * as shared. */
    uintptr_t own_low;
    size_t own_size;
    uintptr_t stack_used; /* deepest page that was used; outlives the execution (stack.h) */
    uint32_t stack_looks; /* how often its depth was checked, in all executions */
    uintptr_t tls;
    uintptr_t kept_low; /* least stack pointer when it created a thread; 0: it created none */
    bool returned;      /* main, and not by exit */
    uintptr_t left;     /* frames below this are left, but it has steps to take there; 0: none */
    uintptr_t dead;     /* those below this are, and none was seen to take their place; 0: none */

    /* Where the value of the step can be read afterwards; size 0: it is in `value`. */
    uintptr_t value_address;
    uint32_t value_size;
    uint64_t value;

    /* The destination of a struct copy whose source is still to be announced. */
    uintptr_t deferred_address;
    size_t deferred_size;

    /* The bit-fields of which one is being changed (targets/native/bit_fields.h). */
    uintptr_t bits_address;
    size_t bits_size;

    uintptr_t compare_address, compare_expected;
    uint32_t compare_size;
    bool compare_shares; /* the expected value is in shared memory */
    footprint compare_success, compare_failure;
    /* Of the atomic operation under way, for the race detector. */
    footprint atomic_footprint;
    uint32_t atomic_location;

    uint32_t sync;     /* the synchronisation object of its pending operation (sync.h) */
    uint32_t waits_in; /* the one whose waiters it is among; 0: none */
    uint32_t waker_thread, waker_events;
    uint32_t joinee;
    /* At a barrier: its group, by the latest of its marks, once it is complete (barrier.c). */
    uint32_t group, group_clock;
    uint32_t serial;           /* the thread of the group that returns it, plus 1; 0: unknown */
    uint32_t decider, decided; /* who decided that, and after how many of its events */
    bool looks_at_serial, serial_matters;
    bool times_out;     /* its wait ends at `deadline`, if nothing else happens (timeout.h) */
    bool was_spurious;  /* it has been woken without a signal */
    bool round_again;   /* its wait is one of several alike (sync/rounds.h) */
    bool was_late;      /* it has begun a wait after the time at which that was to end */
    bool was_refused;   /* an allocation of it has failed (--malloc-fails) */
    bool failed_weakly; /* a weak compare-exchange of it has failed for no reason */
    uint64_t deadline;
    uint32_t section_depth;    /* inside an atomic section */
    bool section_crowded;      /* it has too many alternatives */
    bool section_revocable;    /* it only accesses memory, and reads first what it writes */
    uint32_t section_decided;  /* choices that it is bound to while it waits */
    uint32_t section_decision; /* their outcomes */
    uint64_t section_steps;    /* runtime.steps + 1 when its footprint was found */

    cause causes[3];
    uint32_t creator, creations;
    void *(*start)(void *);
    void *argument, *result;
    int error_number;
    random_source random;
    uint64_t signal_mask;
    uint64_t time;  /* its virtual clock, in nanoseconds (clock.h) */
    uint64_t slept; /* of that, since it has last seen what time it is */
    uint32_t clock; /* rows in the clocks of the race detector */
    uint32_t acquire_clock, release_clock;
    runtime_heap heap;        /* whose lists of free blocks begin the tail */
    void *keys[RUNTIME_KEYS]; /* its values (keys.c) */
    round_wait rounds[ROUNDS_KEPT];

    /* Of loops around waits (sync/rounds.h): where it was about to wait, + 1; the waits that it has
       begun since its latest step with an effect; that it has begun one of them before. */
    uint32_t round_place, round_count, round; /* and which of them is its latest */
    uint64_t round_held;
    uint64_t effects; /* its steps that have one */

    /* While spin loops are watched (spin.h): the local state that it is in, those that it was in
     * since its latest step with an effect, and of the current step whether it has one. */
    uint32_t spin_state, spin_past[SPIN_PAST], spin_count, spin_since, spin_rounds;
    uint32_t spin_sync; /* of a lock or trylock */
    /* The latest state in a loop, + 1; that before it left the loop; where it has been since. */
    uint32_t spin_latest, spin_left, spin_between[SPIN_PAST], spin_between_count, spin_run_before;
    uint8_t spin_kind;
    uint8_t spin_holds;     /* so many locks of a round that is gone (spin_section.h) */
    uint32_t spin_expected; /* the state in which that ends */
    bool spin_arrived, spin_void, spin_takes;
    bool spin_widened;  /* its pending operation, which accesses: */
    footprint spin_own; /* this itself */
    /* What it holds, of the latest; its steps that have an effect, and its looks at what others
     * may change (spin_observers.h). */
    spin_hold spin_taken[SPIN_TAKEN];
    uint32_t spin_taken_count, spin_effects, spin_looks;
    spin_place spin_from; /* before the current step, if that may take a lock */
    uint32_t spin_location;
    bool spin_closed; /* it has come back from a round by a choice, and stays there */
    cause spin_freed; /* the time-out after which it may repeat its loop; no events: none */

    /* While versions are kept (versions.h): the atomic operation that it is about to do. */
    uintptr_t version_address;
    version_value version_operand;
    uint32_t version_size;
    uint8_t version_function;

    /* Of a read, a write or a poll of channels (libc/channels.h). */
    int descriptor;
    bool transfer_waits, transfer_accepts, took_nothing;
    size_t transfer_size;  /* bytes, or descriptors */
    struct pollfd *polled; /* on its stack */
    uint64_t signal_set;   /* for which it waits (sync/pending_signals.h) */

    uint64_t others_at_timeout; /* events of the others when it timed out last */
    uint32_t timeouts_in_a_row;
    uint32_t timeouts; /* that came because nothing else could happen */
    void *cleanup;     /* the latest of its cleanup handlers, or NULL (cleanup.c) */
    uint32_t keys_created;
    uint64_t keys_deleted[RUNTIME_KEYS / 64]; /* main's: of all threads, a bit for each */
    int cancel_state, cancel_type;
    _Alignas(8) uint64_t cancelled; /* it was asked to end (cancel.h) */
    uint32_t cancel_clock;          /* row of the race detector of that, or 0 */
    bool wait_is_point;             /* its wait ends when it is asked to end; and has done so */
    bool woken_to_end;
    bool was_patient;            /* it has once ignored a request where it may act on it */
    char name[THREAD_NAME_SIZE]; /* "": none was given */
    int policy, priority;        /* as it was told; they have no effect (scheduling.c) */
};

/* The end of a control block, from the lists of free blocks on, is zero for most threads: it is
 * cleared, logged and restored only where it is not. Code that writes there sets tail_used. */
enum { RUNTIME_TAIL = offsetof(runtime_thread, heap.free_blocks) };

enum fault_reason {
    FAULT_SIGNAL,      /* the processor's: a crash */
    FAULT_ENDLESS,     /* a loop that is back in an earlier state */
    FAULT_UNFINISHED,  /* the time for a step is over */
    FAULT_WAITS,       /* in the kernel */
    FAULT_INTERRUPTED, /* by the user */
};

/* A fault as the signal handler saw it. */
typedef struct runtime_fault {
    int signal; /* 0: none */
    enum fault_reason reason;
    uintptr_t address; /* that was touched, or of the function that waits */
    uintptr_t counter; /* program counter */
    bool overflow;
} runtime_fault;

typedef struct runtime_state {
    runtime_thread *current;  /* NULL: heddle itself runs */
    runtime_thread *stepping; /* is about to take its step, which is one that it can take */
    runtime_thread *threads;  /* fixed place, indexed by number */
    uint32_t thread_count;    /* highest number in use + 1 */
    fiber_context scheduler;
    /* While steps are replayed: the steps to come, and the thread of the next one. THREAD_ANY: the
     * scheduler decides who continues. */
    const step *script, *script_end;
    uint32_t scripted;
    enum target_accesses accesses; /* what a plain access is (passing.h) */
    bool races;                    /* the race detector is on */
    bool thorough; /* it keeps an access of every place, so that all pairs are found */
    bool exact;    /* states are saved: replaying leaves the same garbage on stacks as stepping */
    bool timed;    /* the program uses clocks: steps have times */
    bool cancels;  /* the program may cancel threads (cancel.h), */
    bool ends;     /* or otherwise ask whether one lives: its end is a step */
    bool reads_names;        /* the program may ask for names or priorities of threads */
    bool spinning;           /* spin loops are watched (spin.h) */
    bool versions;           /* reads may return what was overwritten (versions.h) */
    bool changed;            /* some memory orders are (atomics.c) */
    bool conflicts_ignored;  /* nobody asks which steps conflict: runs are only compared */
    uint64_t steps;          /* of this process; the watchdog looks at it */
    uint64_t stretch;        /* counts what ends the validity of known accesses (access.h) */
    bool failed;             /* some thread has ended with an error */
    bool exited;             /* main returned, or a thread called exit or failed */
    uint32_t starting_count; /* created in this step, not yet run */
    uint32_t *starting;
    int *error_number; /* libc's errno */
    runtime_fault fault;
    program_error start_error; /* of code that ran before any step */
    bool start_failed;
    bool faulted; /* this step ended in a fault */
    settings settings;
    const char *sampled; /* a function of which not all results are tried; or NULL */
    int argc;
    char **argv;
    int (*main)(int, char **, char **);
} __attribute__((aligned(WITNESS_PAGE))) runtime_state;

extern runtime_state runtime;

static inline bool runtime_tail_used(const runtime_thread *t) {
    return t->heap.freed || t->tail_used || runtime.spinning;
}

static inline size_t runtime_record_size(const runtime_thread *t) {
    return runtime_tail_used(t) ? sizeof *t : RUNTIME_TAIL;
}

enum { RUNTIME_MAX_THREADS = 4096, RUNTIME_MAIN = 0 };
_Static_assert(RUNTIME_MAX_THREADS <= OBJECT_NUMBER_MASK, "a spawn names its thread as an object");
#define THREAD_ANY UINT32_MAX

/* ---- for the target (native/) ---- */

void runtime_open(const settings *, int argc, char **argv, int (*main)(int, char **, char **));
void runtime_close(void);

/* Globals and heap are as they were when the program was loaded, for its destructors. */
void runtime_restore_image(void);

/* Functions of a target, which they do not use: one call less on the way. */
void runtime_reset(target *);
uint32_t runtime_thread_count(target *);
const operation *runtime_pending(target *, uint32_t thread);
void runtime_step(target *, uint32_t thread, uint32_t choice, step_result *result);
void runtime_replay(target *, const step *steps, uint32_t count);
uint32_t runtime_back(target *, uint32_t length);
enum target_ending runtime_ending(target *);

/* ---- for the runtime's own files ---- */

/* The step itself; and the start of the program, which counts as no reset. */
void runtime_take_step(uint32_t thread, uint32_t choice, step_result *result);
void runtime_start_over(void);

void clock_step(runtime_thread *t);

/* Brings the pending operation up to date, if it depends on what others do. */
static inline void runtime_update(runtime_thread *t) {
    if (t->refresh) {
        t->refresh->update(t);
    }
}

/* The same where it is about to be taken: who would have to wait times out. */
static inline void runtime_update_for_step(runtime_thread *t) {
    runtime.stepping = t;
    runtime_update(t);
    runtime.stepping = NULL;
}

/* Its pending operation must be brought up to date by the scheduler before it is taken. */
static inline bool runtime_needs_scheduler(const runtime_thread *t) {
    return t->refresh && (t->refresh->before_step || runtime.timed);
}

/* The control block of a thread that does not run is about to change. */
static inline void undo_record(runtime_thread *t) {
    if (t->record_unit != undo.unit) {
        undo_log_record(t);
    }
}

/* A step of the thread begins. */
static inline void runtime_begin(runtime_thread *t, uint32_t choice) {
    DEBUG_CHECK(t->status == THREAD_LIVE && t->number < runtime.thread_count);
    if (unlikely(t->unit != undo.unit)) {
        undo_log_thread(t);
    }
    t->choice = choice;
    t->acquired = false;
    t->value = 0;
    t->events++;
    t->spin_run++;
    runtime.steps++;
    runtime.stretch++;
    if (unlikely(t->pending.flags & OPERATION_PASSING)) {
        return;
    }
    t->passed = unlikely(t->dead) ? PASSING_LOOK : 0;
    if (unlikely(runtime.timed)) {
        clock_step(t);
    }
}

/* The next step of the script begins. */
static inline void runtime_follow(runtime_thread *t) {
    DEBUG_CHECK(runtime.script < runtime.script_end && runtime.script->thread == t->number);
    const step *now = runtime.script++;
    runtime.scripted = runtime.script < runtime.script_end ? runtime.script->thread : THREAD_ANY;
    runtime_begin(t, now->choice);
}

/* The thread continues by itself: its pending operation is not needed. */
static inline bool runtime_goes_on(const runtime_thread *t) {
    return runtime.scripted == t->number;
}

/* Where a fiber goes that parks: to the thread that the script names, or to the scheduler. */
static inline const fiber_context *runtime_next(runtime_thread *t) {
    if (likely(runtime.scripted == THREAD_ANY)) {
        return &runtime.scheduler;
    }
    runtime_thread *next = &runtime.threads[runtime.scripted];
    if (unlikely(runtime_needs_scheduler(next))) {
        return &runtime.scheduler;
    }
    runtime_follow(next);
    t->error_number = *runtime.error_number;
    *runtime.error_number = next->error_number;
    runtime.current = next;
    return &next->context;
}

/* Switches from the fiber to the scheduler, and returns when the pending operation is taken.
 *
 * The check is more than that: a function with a call in it does not keep anything below its stack
 * pointer (in the red zone), and so the stack from the stack pointer up is all that a parked fiber
 * consists of, when it is copied or compared. */
static inline __attribute__((always_inline)) void runtime_park(runtime_thread *t) {
    if (runtime_goes_on(t) && !runtime_needs_scheduler(t)) {
        runtime_follow(t);
        return;
    }
    fiber_switch(&t->context, runtime_next(t));
    if (unlikely(runtime.current != t)) {
        check_failed(__FILE__, __LINE__, "the fiber that was resumed is the current one");
    }
}

/* The body of a function that is not inlined: makes the given number of bytes of the dead stack
 * below its caller's frame zero. A macro, because the frame of a function that is given the size
 * keeps a register of its caller beside it. */
#define RUNTIME_CLEAR_FRAME(size)                       \
    do {                                                \
        char dead_[size];                               \
        memset(dead_, 0, sizeof dead_);                 \
        __asm__ volatile("" : : "r"(dead_) : "memory"); \
    } while (0)

/* Makes the dead stack below its caller's frame zero. */
void runtime_clear_dead_stack(void);

/* Before the call of a function that parks: the bytes of its frame that it does not write are then
 * the same whatever ran there before, so that equal states look equal. */
static inline void runtime_before_park(void) {
    if (unlikely(runtime.exact)) {
        runtime_clear_dead_stack();
    }
}

/* Frames were left, and the thread is about to take an operation (frame.h). */
void frame_reuse(runtime_thread *t, uint32_t location);

/* Prepares t->pending, except what is specific to the operation. */
static inline void runtime_prepare(runtime_thread *t, enum operation_kind kind, uint32_t object,
                                   footprint f, uint32_t location) {
    DEBUG_CHECK(t == runtime.current && t->status == THREAD_LIVE);
    operation *o = &t->pending;
    if (unlikely(t->dead) && kind != OPERATION_SCOPE_END) {
        frame_reuse(t, location);
    }
    o->kind = (uint8_t)kind;
    o->flags = OPERATION_ENABLED;
    o->object = object;
    o->location = location;
    o->footprint = f;
    o->expected = 0;
    o->choice_count = 0;
    o->choices = NULL;
    o->causes = t->causes;
    o->cause_count = t->events == 0 && t->number != RUNTIME_MAIN;
    o->supply_count = 0;
    t->refresh = NULL;
    t->value_size = 0;
}

static inline void runtime_set_enabled(runtime_thread *t, bool enabled) {
    t->pending.flags =
        (uint8_t)((t->pending.flags & ~OPERATION_ENABLED) | (enabled ? OPERATION_ENABLED : 0));
}

/* Runs a fiber up to its next operation or its end. */
void runtime_resume(runtime_thread *t);

/* Ends the calling fiber with an error of the program; `message` is copied. */
_Noreturn void runtime_fail(runtime_thread *t, enum error_kind kind, uint32_t location,
                            const char *message, ...) __attribute__((format(printf, 4, 5)));

/* Records an error of the program (errors.h); the thread continues. */
void runtime_error(runtime_thread *t, enum error_kind kind, uint32_t location, const char *message);

/* Before one of these: a place that the error is about as well (error_relation). */
void runtime_relate(const char *what, uint32_t thread, uint32_t location);

/* Before one of these: this address cannot be accessed. Returns the one that the step was to
 * access, if it lies in the same granule. */
uintptr_t runtime_miss(const runtime_thread *t, uintptr_t address);

/* Leaves the fiber forever. */
_Noreturn void runtime_leave(runtime_thread *t, enum thread_status status);

#endif
