/* The oracle's own interpreter of abstract programs.
 *
 * It exists so that the checker is never judged by its own semantics: nothing of core/ and nothing
 * of the model's interpreter is used here, only the program as data. It is meant to be read and
 * believed: a state is one flat struct that is copied by assignment, nothing is cached, what a
 * thread may do is computed again every time. The price is a copy of about 3 KiB per step and small
 * fixed limits; programs beyond them are refused.
 *
 * A step is one operation and all local instructions after it. What a step did is a machine_event;
 * who comes before whom is not decided here but in trace.h. */
#ifndef HEDDLE_ORACLE_MACHINE_H
#define HEDDLE_ORACLE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "oracle/cells.h"
#include "targets/abstract/program.h"

#define MACHINE_THREADS     16
#define MACHINE_REGISTERS   16
#define MACHINE_STEPS       64 /* of one execution; a set of events is a 64-bit word */
#define MACHINE_LOCAL_STEPS 10000
#define MACHINE_TAGS        4   /* of a pattern */
#define MACHINE_PAST        16  /* local states of a thread since it last changed something */
#define MACHINE_CODE        512 /* instructions of a thread, if there are loops */
#define MACHINE_NONE        UINT32_MAX

enum machine_kind {
    KIND_READ,
    KIND_WRITE,
    KIND_ADD,
    KIND_EXCHANGE,
    KIND_CAS,
    KIND_AWAIT,
    KIND_ATOMIC,
    KIND_LOCK,
    KIND_UNLOCK,
    KIND_TRYLOCK,
    KIND_INIT,
    KIND_DESTROY,
    KIND_WAIT,
    KIND_WAIT_UNLOCK,
    KIND_TIMEOUT,
    KIND_RELOCK,
    KIND_SIGNAL,
    KIND_BROADCAST,
    KIND_CHOOSE,
    KIND_FENCE,
    KIND_SPAWN,
    KIND_JOIN,
    KIND_SEND,
    KIND_RECEIVE, /* with a time-out or without */
    KIND_SEMAPHORE_WAIT,
    KIND_SEMAPHORE_TRY,
    KIND_POST,
    KIND_READ_LOCK,
    KIND_WRITE_LOCK,
    KIND_TRY_READ_LOCK,
    KIND_TRY_WRITE_LOCK,
    KIND_RELEASE,
    KIND_ARRIVE,
    KIND_LEAVE,
    KIND_ONCE,
    KIND_ONCE_END,
};

enum machine_status {
    STATUS_ABSENT, /* not spawned yet */
    STATUS_RUNNING,
    STATUS_ENDED,
    STATUS_ASSUMED, /* stopped forever by an assume that did not hold */
    STATUS_FAILED,  /* stopped forever by its own error */
};

enum machine_error { FAULT_NONE, FAULT_ASSERTION, FAULT_MISUSE };

enum machine_ending {
    FINISH_COMPLETE,
    FINISH_ASSUMED,
    FINISH_DEADLOCK,
    FINISH_LIVELOCK,
    FINISH_ARTIFACT, /* machine_spin.h */
    FINISH_COUNT
};

/* Where a thread stands inside a wait, or at a barrier. */
enum machine_phase { PHASE_NONE, PHASE_ENQUEUED, PHASE_UNLOCKED, PHASE_ARRIVED };

/* Names one event of an execution. */
typedef struct machine_edge {
    uint32_t thread;
    uint32_t index;
} machine_edge;

/* Which messages a receive takes: those with one of the tags, or all if there are none. */
typedef struct machine_pattern {
    uint32_t count;
    int64_t tags[MACHINE_TAGS];
} machine_pattern;

typedef struct machine_event {
    uint32_t thread;
    uint32_t index; /* in its thread */
    enum machine_kind kind;
    uint32_t choice;
    uint64_t value;         /* what the program could observe in this step; 0 if nothing */
    cell_set reads, writes; /* a cell that is written is not among the reads */
    cell_set loads;         /* cells whose value from before the step it saw, written or not */
    machine_edge edges[MACHINE_THREADS + 1]; /* events that come before it whatever the schedule */
    uint32_t edge_count;
    uint32_t receiver;       /* of a send that took place, else MACHINE_NONE */
    int64_t tag;             /* of a send; the result of a receive */
    machine_pattern pattern; /* of a receive */
    bool missed;             /* a receive that found nothing */
    machine_edge took;       /* the send of the message that a receive took, if any */
    /* For data races (races.h). */
    uint32_t instruction; /* in its thread */
    bool plain;
    bool failed;                            /* the operation itself was an error */
    cell_set did_read, did_write, did_load; /* like reads, writes, loads; of a section with choices
                                               those of the choice that was made */
} machine_event;

typedef struct machine_thread {
    enum machine_status status;
    enum machine_phase phase;
    enum machine_error error;
    uint32_t counter; /* next instruction; that of the error once failed */
    uint32_t events;
    machine_edge spawner; /* thread MACHINE_NONE if it runs from the beginning */
    machine_edge waker;
    uint32_t condition, mutex; /* of the wait it is in */
    bool timed, present, woken, timed_out;
    int64_t registers[MACHINE_REGISTERS];
    /* What machine_spin.c needs: hashes of local states. */
    bool in_section;
    uint32_t past_count;
    uint64_t past[MACHINE_PAST];
} machine_thread;

/* A message stays here forever, in the order of the sends. */
typedef struct machine_message {
    int64_t tag, value;
    uint8_t receiver, sender;
    uint8_t index; /* of the send, in its thread */
    bool taken;
} machine_message;

/* A post of a semaphore, or an arrival at a barrier. They too stay forever. */
typedef struct machine_mark {
    uint32_t cell;
    machine_edge event;
} machine_mark;

typedef struct machine {
    const program *program;
    bool gave_up; /* beyond a limit: nothing can be said about this program */
    bool loops;   /* there are loops, and void rounds are left out */
    /* Of the atomic section that is being run: what its next choices take of the alternative, and
       the product of what they had to choose from. */
    uint64_t choice_left, choice_factor;
    uint32_t steps;
    machine_thread threads[MACHINE_THREADS];
    int64_t cells[MACHINE_CELLS];   /* variables */
    uint32_t owners[MACHINE_CELLS]; /* mutexes; MACHINE_NONE when free */
    bool destroyed[MACHINE_CELLS];  /* mutexes and conditions, until they are initialised */
    uint32_t message_count;
    machine_message messages[MACHINE_STEPS];
    /* What machine_sync.c needs. */
    bool fine;                                       /* independence as fine strategies know it */
    bool coarse[MACHINE_CELLS];                      /* others know less of it, about this cell */
    uint8_t waits[MACHINE_CELLS];                    /* of semaphores, so far */
    uint8_t readers[MACHINE_CELLS][MACHINE_THREADS]; /* of read-write locks; writers are owners */
    uint32_t mark_count;
    machine_mark marks[MACHINE_STEPS];
} machine;

/* False if the program is larger than the machine. `fine`: as strategies that are (strategy.h) see
 * it. */
bool machine_init(machine *, const program *, bool fine);

bool machine_matches(const machine_pattern *, int64_t tag);

bool machine_enabled(const machine *, uint32_t thread);

/* The same, whether it is a void round that it closes or not; and takes such a step. */
bool machine_possible(const machine *, uint32_t thread);

/* The step of the thread is to time out. */
bool machine_may_time_out(const machine *, uint32_t thread);
machine_event machine_force_step(machine *, uint32_t thread);

/* The alternatives of an enabled thread's next step, at most MACHINE_CELLS of them; a step without
 * a choice has the one alternative MACHINE_NONE. */
uint32_t machine_alternatives(const machine *, uint32_t thread, uint32_t *choices);

/* Takes the next step of an enabled thread. */
machine_event machine_step(machine *, uint32_t thread, uint32_t choice);

/* How an execution without an enabled thread ended. */
enum machine_ending machine_ending(const machine *);

#endif
