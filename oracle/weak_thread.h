/* Threads of a program under a weak memory model: what they do by themselves, whatever they read.
 * Written for the judge of execution graphs (weak_graph.h) and its machine with store buffers
 * (weak_buffers.c); it shares nothing with what it judges. */
#ifndef HEDDLE_ORACLE_WEAK_THREAD_H
#define HEDDLE_ORACLE_WEAK_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/hash.h"
#include "targets/abstract/program.h"

enum { WEAK_THREADS = 6, WEAK_REGISTERS = 8, WEAK_CELLS = 16, WEAK_PAST = 16 };

/* What a mutex or a condition holds that was destroyed, and not initialised since. */
#define WEAK_DESTROYED INT64_MIN

enum weak_status {
    WEAK_UNBORN,
    WEAK_RUNS,
    WEAK_ENDED,
    WEAK_ASSUMED,
    WEAK_FAILED,
    WEAK_LOST, /* it goes further than the judge follows */
};

typedef struct weak_thread {
    uint8_t status;
    uint32_t counter;
    uint32_t held;              /* mutexes, and read-write locks for writing, as a set of cells */
    uint8_t shares[WEAK_CELLS]; /* read-write locks for reading: how often */
    int64_t registers[WEAK_REGISTERS];
    /* Within a wait for a condition: how many of its three steps are done; and the event that has
       woken it, + 1. */
    uint8_t waited, woken;
    /* Its local states since its last step that changed something, if it has loops; and whether it
       has locked a mutex that it unlocks at once. */
    uint64_t past[WEAK_PAST];
    uint8_t past_count;
    bool in_section;
    uint8_t rounds, patience; /* void rounds with plain reads since then, and how many it takes
                                 before it waits */
} weak_thread;

/* What a thread does next. */
typedef struct weak_op {
    const instruction *instruction;
    uint32_t cell; /* or the thread of spawn and join */
    int64_t a, b;
    bool fails; /* whatever others do: a release of what the thread does not hold */
} weak_op;

/* Plain accesses, which a thread makes as soon as it comes to them, together with its local code:
 * they are ordered by what other accesses order, or they race. */
typedef struct weak_plain {
    int64_t (*read)(void *context, uint32_t thread, uint32_t cell);
    void (*write)(void *context, uint32_t thread, uint32_t cell, int64_t value); /* or NULL */
    void *context;
} weak_plain;

/* The judge can treat it: its size and its instructions. */
bool weak_can_judge(const program *);

/* Starts a thread: its local code runs, as far as the first operation or plain access. */
void weak_start(const program *, weak_thread *, uint32_t number);
/* The plain accesses of a thread that has started. */
void weak_begin(const program *, weak_thread *, uint32_t number, const weak_plain *);

/* The thread stands before a plain access. */
bool weak_is_plain(const program *, const weak_thread *, uint32_t number);
/* Its plain accesses, and local code; `wrote`: some of them wrote. False: it would write, and must
 * not. */
bool weak_pass(const program *, weak_thread *, uint32_t number, const weak_plain *, bool *wrote);

/* Of a thread that runs. A wait is three operations: on the condition, an unlock, a lock. */
weak_op weak_pending(const program *, const weak_thread *, uint32_t number);

/* It reads its cell, and writes it if it read `value`. */
bool weak_reads(const weak_op *);
bool weak_writes(const weak_op *, const weak_thread *, int64_t value);
/* It can be taken if it reads `value`; only locks, awaits and what closes a void round cannot. */
bool weak_passes(const program *, const weak_thread *, uint32_t number, const weak_op *,
                 int64_t value, const weak_plain *);
/* The same, whatever the thread has done before. */
bool weak_holds(const weak_op *, int64_t value);
/* What it writes. */
int64_t weak_written(const weak_op *, uint32_t thread, int64_t value);
/* The order that it has. */
enum access_order weak_order(const weak_op *, int64_t value);

/* The operation is done, with what it read, or chose; local code runs, with plain accesses. */
void weak_resume(const program *, weak_thread *, uint32_t number, const weak_op *, int64_t value,
                 const weak_plain *);
/* The same, without plain accesses, and without remembering where it was. */
void weak_continue(const program *, weak_thread *, uint32_t number, const weak_op *, int64_t value);
/* It fails: a spawn of a thread that has started. */
void weak_fail(weak_thread *);

/* A hash of the thread's state, for comparisons. */
hash weak_hash_thread(const program *, const weak_thread *, uint32_t number);

/* A thread that waits for a condition, and was not woken. */
bool weak_sleeps(const weak_thread *);

/* --- weak_sync.c: semaphores, read-write locks, onces, conditions, initialisation; as above --- */

bool weak_sync_is(enum instruction_kind);
/* It may be done without having obtained anything. */
bool weak_sync_tries(enum instruction_kind);
bool weak_sync_holds(enum instruction_kind, int64_t value);
bool weak_sync_writes(enum instruction_kind, int64_t value);
int64_t weak_sync_written(enum instruction_kind, uint32_t thread, int64_t value);
enum access_order weak_sync_order(enum instruction_kind, int64_t value);
int64_t weak_sync_result(enum instruction_kind, int64_t value);
bool weak_sync_hold(weak_thread *, const weak_op *, int64_t value);

/* --- weak_spin.c: rounds that change nothing, as in machine_spin.h --- */

/* The thread, which has started, or has done the operation in that state, stands before another. */
void weak_arrive(const program *, weak_thread *, uint32_t number);
void weak_note_step(const program *, weak_thread *, uint32_t number, const weak_thread *before,
                    const weak_op *, int64_t value, bool wrote);

/* The operation would close a void round if it read `value`, and plain accesses what they read
 * now. */
bool weak_closes_round(const program *, const weak_thread *, uint32_t number, const weak_op *,
                       int64_t value, const weak_plain *);

/* The thread repeats its loop forever if all its reads return what plain ones read now. */
bool weak_goes_round(const program *, const weak_thread *, uint32_t number, const weak_plain *);

#endif
