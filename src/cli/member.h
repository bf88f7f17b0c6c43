/* A worker's half of a team: the process that explores, and shares its work with others through the
 * supervisor (team.h is the other half). */
#ifndef HEDDLE_CLI_MEMBER_H
#define HEDDLE_CLI_MEMBER_H

#include <time.h>

#include "cli/load.h"
#include "cli/stretch.h"
#include "explore/exchange.h"
#include "report/outcome.h"
#include "supervise/channel.h"

/* How a process begins; set by the supervisor before it forks. */
typedef struct membership {
    bool active;  /* there is a team */
    bool empty;   /* it gets its work by message */
    bool careful; /* it announces each execution: a worker died in this work */
    bool eager;   /* it gives work away whenever it has some: for tests */
    bool keeps;   /* it reports what is left when it is interrupted */
    bool resumed; /* there is work that came from a file */
    /* How many executions were run before it begins; UINT64_MAX: another worker looks ahead
     * (scout.h). */
    uint64_t executions;
} membership;

enum member_order { MEMBER_WORKS, MEMBER_REPORTS, MEMBER_QUITS };

typedef struct member {
    exchange exchange; /* first: a member is an exchange */
    channel *channel;
    collector *collector;
    loaded *loaded;
    const strategy_class *algorithm; /* of the current exploration */
    membership membership;
    bool ready;               /* it has reported that it has no work yet */
    uint32_t careful_left;    /* executions that it still announces */
    bool saves;               /* it reports what is left before the next one */
    counters reported;        /* at the last report */
    uint64_t reported_events; /* of the current exploration */
    clock_t began, giving;    /* start of the stretch; time since then spent on giving work away */
    bytes work;               /* work that was received and not yet taken */
    uint32_t pieces;          /* the number of pieces to cut it into; 0: it is to be done */
    bool expands;             /* one execution is to be done before */
    bool returned;            /* all work was returned */
    bytes rest;               /* the work that was left when the exploration ended early */
    enum member_order order;
    /* With MEMBER_REPORTS: what all have found. */
    tally tally;
    enum exploration_end end;
    bool timeout;
    double seconds_before, seconds; /* the latter 0: as long as this process */
    uint64_t peak_bytes;
} member;

void member_open(member *, membership, channel *, collector *);

/* An exploration is about to start. */
void member_begin(member *, const strategy_class *);

/* The exploration of this stretch has ended. True: there is another stretch to explore; false:
 * there is an order. */
bool member_ended(member *, exploration *, enum exploration_end);

/* Everything starts over, from the beginning and by this worker. */
void member_start_over(member *);

/* From now on there is no work for others. */
void member_alone(member *, const char *why);

/* For a worker that does not report. */
void member_send_memory(member *, const outcome *);

#endif
