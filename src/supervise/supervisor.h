/* The supervisor: the process that the user started. It never maps the program under test, and
 * does nothing that could take long or fail: all of that is done by processes that it starts, one
 * for each role (build, explore, replay, ...), that send it messages and that it can end at any
 * moment. It owns the output, the exit status, the time limit and the temporary directory.
 *
 *     supervisor_open(&s, settings.time_limit_ms);
 *     supervisor_run(&s, &role, context, &report);
 *     …
 *     supervisor_close(&s);
 *
 * Every process has its own process group, so that everything it starts ends with it. It is first
 * asked to stop if its role supports that; half a second after the user or the time limit demanded
 * it, it has ended in any case.
 *
 * A role is a function that is called in the new process, and another one that is called here with
 * each message. There may be several processes for a role, each with its own place. One that works
 * on another machine is represented by a process here, which passes messages on (cli/stand_in.h).
 */
#ifndef HEDDLE_SUPERVISE_SUPERVISOR_H
#define HEDDLE_SUPERVISE_SUPERVISOR_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/text.h"
#include "base/witness.h"
#include "supervise/channel.h"
#include "supervise/message.h"
#include "supervise/request.h"

typedef struct watch watch; /* a process and its state */

typedef struct supervisor {
    int signals; /* signals that can be caught are read here */
    sigset_t old_mask;
    VECTOR(void *) witnesses; /* by place: shared with the process that works there */
    VECTOR(watch *) watches;  /* of processes that have not ended */
    double deadline;          /* seconds; 0: none */
    double look_at;   /* seconds: the latest time of the next call of the roles' `watch`; 0: none */
    request request;  /* the last one to stop */
    int interruption; /* SIGINT, SIGTERM, or SIGALRM at the time limit; 0: none */
    void (*clean)(void); /* before a signal ends this process; or NULL */
    /* A descriptor that is also read: `heard` is called when there is something to read, and
     * returns false at its end. */
    int other;
    bool (*heard)(void *context);
    void *context;
} supervisor;

enum child_end {
    CHILD_FINISHED,    /* everything was sent, and the process ended as it should */
    CHILD_INTERRUPTED, /* by the user or the time limit, before everything was sent */
    CHILD_DIED,        /* by itself */
    CHILD_STUCK,       /* it made no progress for too long */
    CHILD_BROKEN,      /* what it sent was wrong */
    CHILD_NOT_STARTED,
};

typedef struct child_report {
    enum child_end end;
    int status; /* of waitpid */
    enum phase phase;
    const char *complaint; /* what was wrong with its messages */
    text error_output;     /* its standard error output, unless it `speaks` */
} child_report;

typedef struct role {
    /* Called in the new process. When it returns, the work is done; it need not return. */
    void (*work)(void *context, channel *);
    /* Called in the supervisor. False: the content does not fit the type. */
    bool (*receive)(void *context, enum message_type, byte_reader *content);
    /* Called in the supervisor about ten times a second, and whenever something has happened. May
     * be NULL. */
    void (*watch)(void *context, const void *witness);
    /* Changes as long as the process makes progress. NULL: progress is not checked. */
    uint64_t (*beat)(const void *witness);
    double most_silence; /* seconds of possible work without a change */
    /* The same for constructors of the program, which nothing else watches; 0: none. */
    double most_construction;
    double most_seconds; /* in total; 0: only the limit of the supervisor */
    /* Called in the supervisor when the process has ended. May be NULL. */
    void (*ended)(void *context, child_report *);
    bool can_stop;   /* a signal asks it to send what it has */
    double patience; /* seconds that it may take for that; 0: a quarter of one */
    bool listens;    /* it takes messages, too */
    bool speaks;     /* its output is the user's */
    int input;       /* a descriptor that becomes its standard input; 0: ours */
    uint32_t place;  /* of its witness, with supervisor_run */
    bool inherits;   /* the witness of the process before */
} role;

bool supervisor_open(supervisor *, uint64_t time_limit_ms);
void supervisor_close(supervisor *);

/* Starts a process for the role and waits for its end. */
void supervisor_run(supervisor *, const role *, void *context, child_report *);

/* Several at once, each with a place of its own: the functions of the role may start more. NULL: no
 * process can be started. */
watch *supervisor_start(supervisor *, const role *, void *context, uint32_t place);

/* Asks all processes to stop, as if the user had interrupted. */
void supervisor_interrupt(supervisor *);

/* Calls `watch` of all roles at that time (monotonic_seconds), if not before. */
static inline void supervisor_look_at(supervisor *s, double time) {
    s->look_at = s->look_at && s->look_at < time ? s->look_at : time;
}

/* Waits until all processes have ended and no other descriptor is to be read. */
void supervisor_wait(supervisor *);

/* Also reads a descriptor, until `heard` returns false. */
void supervisor_listen(supervisor *, int descriptor, bool (*heard)(void *context), void *context);

/* Sends a message to the process. */
void supervisor_send(watch *, enum message_type, const bytes *content);

/* Kills the process; nothing that it sends counts from then on. Its end is reported as usual. */
void supervisor_end(watch *);

void *supervisor_witness(const supervisor *, uint32_t place);
void child_report_free(child_report *);

/* The user or the time limit demands a stop. */
static inline bool supervisor_interrupted(const supervisor *s) {
    return s->interruption != 0;
}

#endif
