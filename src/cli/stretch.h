/* A stretch of the exploration: executions that follow each other in the order in which one worker
 * would do them all. Work that a worker gives away is the end of its stretch, and becomes the
 * stretch after it; so the results of all stretches, in their order, are those of one worker,
 * whichever worker did what. */
#ifndef HEDDLE_CLI_STRETCH_H
#define HEDDLE_CLI_STRETCH_H

#include "cli/store.h"
#include "cli/tally.h"
#include "explore/exploration.h"

enum stretch_event {
    STRETCH_READY,  /* the worker has none, and never had */
    STRETCH_POOR,   /* it has no work to give away */
    STRETCH_SHARED, /* results so far, the work that it keeps, and work that it gives away */
    STRETCH_DONE,   /* all of it */
    STRETCH_EARLY, /* it was ended early; unless it was the cause, the work that it keeps remains */
    STRETCH_CUT,   /* results so far; the rest is given away, as lengths and blocks */
    STRETCH_EVENT_COUNT
};

typedef struct stretch {
    enum { STRETCH_WAITS, STRETCH_RUNS, STRETCH_OVER } state;
    bool whole;          /* it begins at the start of the program; `work` is empty */
    stored work;         /* what was left at the last report */
    tally tally;         /* results up to then */
    tally unsaved;       /* results since then, if it was interrupted and will be done again */
    uint32_t deaths;     /* deaths of workers that did it, since its last progress */
    uint64_t fatal;      /* the announced item in which a worker died (last_execution.h) */
    uint32_t fatalities; /* how many died in it, one after the other */
    bool interrupted;    /* it was not done to its end */
    uint32_t piece;      /* which piece of an exploration that was split it is part of */
    bool cut;            /* it is one of the pieces that work was cut into */
    bool expands;        /* it is to be cut again, after one execution */
    uint32_t length;     /* steps that are given in the oldest item of such a piece */
    enum exploration_end end;
} stretch;

typedef VECTOR(stretch *) stretch_list;

/* Inserts a new stretch as number `index`. */
stretch *stretch_add(stretch_list *, uint32_t index);
void stretch_free(stretch *);
uint32_t stretch_index(const stretch_list *, const stretch *);

/* Merges neighbours that are finished. */
void stretches_join(stretch_list *);

void stretches_add_up(const stretch_list *, tally *all);

/* How the exploration ended that consists of these stretches; `all` gets their sum. */
enum exploration_end stretches_end(const stretch_list *, const tally *all);

/* All are over. */
bool stretches_are_over(const stretch_list *);

/* For files. False: what is left cannot be read. */
bool stretch_encode(const stretch *, bytes *out);
void stretch_decode(stretch *, byte_reader *);

/* The report of a worker about its stretch. */
typedef struct stretch_report {
    enum stretch_event event;
    enum exploration_end end; /* of STRETCH_EARLY */
    tally tally;              /* since the last report */
    bytes kept, given;        /* of STRETCH_SHARED, and of STRETCH_EARLY what is kept */
} stretch_report;

void stretch_report_free(stretch_report *);
void stretch_report_encode(const stretch_report *, bytes *out);
void stretch_report_decode(stretch_report *, byte_reader *);

#endif
