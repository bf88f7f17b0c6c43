/* The second seam: an algorithm. One file in dpor/ and one line in its registry.
 *
 * The explorer calls `choose` for every step and notifies the strategy when an execution has ended;
 * the strategy truncates the execution to where the next one branches off, and chooses again. What
 * it stores per node is up to the strategy. Nothing here assumes a tree or a stack, so that work
 * items in any order fit as well as depth-first search. */
#ifndef HEDDLE_EXPLORE_STRATEGY_H
#define HEDDLE_EXPLORE_STRATEGY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/vector.h"
#include "explore/step.h"

typedef struct exploration exploration;
typedef struct strategy strategy;
typedef VECTOR(uint32_t) step_numbers;

enum decision {
    DECISION_STEP,      /* take the step */
    DECISION_MAXIMAL,   /* no thread is enabled */
    DECISION_REDUNDANT, /* some are, but all that follows has been covered */
    DECISION_PRUNED,    /* some are, but the states that follow are reached elsewhere */
    DECISION_NOTHING,   /* the strategy only wanted to examine this prefix; not an exploration */
    DECISION_UNSUITED,  /* the program does something that the strategy cannot handle exactly */
    /* The program does something that the strategy cannot handle at all: exploration.refused. */
    DECISION_UNSUPPORTED,
    DECISION_FOREIGN, /* the program cannot take a step of the work that came as bytes */
};

/* The remaining work of a strategy, in pieces that any process that runs the program can do. Called
 * between executions, when the strategy has been notified of the end of one and has not gone back
 * yet. */
typedef struct strategy_work {
    uint32_t (*count)(strategy *);
    /* How many steps of that piece are given: pieces of one length are similar amounts of work. */
    uint32_t (*length)(const strategy *, uint32_t number);
    /* Appends `count` pieces as bytes, from number `first` on. The oldest are the first ones, and
     * are the most work. The pieces are kept. */
    void (*encode)(strategy *, uint32_t first, uint32_t count, bytes *);
    /* Forgets the oldest `count` pieces: another process does them. */
    void (*drop)(strategy *, uint32_t count);
    /* Frees the memory that pieces have left. */
    void (*trim)(strategy *);
    /* Adds pieces that were encoded, as older than all others. False: the bytes are not work of
     * this program; nothing was added. */
    bool (*decode)(strategy *, byte_reader *);
    /* Stores the given steps of the piece that is done next. Returns how many. */
    uint32_t (*steps)(const strategy *, const step **steps);
} strategy_work;

/* Executions that begin with steps that are given, and the orders that their steps can have; of a
 * strategy with versions. */
typedef struct strategy_given {
    /* Takes this step, which becomes the next one of all executions. False: it is not possible. */
    bool (*follow)(strategy *, step);
    /* Appends the numbers of the steps that come before that one in every order; steps that come
     * before those may be left out. */
    void (*before)(strategy *, uint32_t number, step_numbers *);
    /* The steps with these numbers in this order: the same execution, or a part of it. */
    void (*arrange)(strategy *, const step_numbers *, step *steps);
} strategy_given;

typedef struct strategy_class {
    const char *name;
    const char *summary; /* one line for --help */
    /* A strategy that may turn out to be unsuited names the one to fall back to, and why. */
    const char *fallback;
    const char *unsuited;
    /* It covers final states instead of traces: an error that shows only in between, such as a data
     * race, may be missed. */
    bool states_only;
    /* It can treat operations of one object that are ordered with some of the others and
       independent of some (target.h: `fine`). */
    bool fine;
    /* What is ordered depends on which step reads a write: once plain accesses race, all of them
     * are steps. */
    bool observes;
    bool exhaustive;     /* it explores all interleavings, whatever the steps are */
    bool versions;       /* a read need not return what was written last (target.h) */
    bool any_order;      /* what it explores does not depend on which thread is picked first */
    bool any_steps;      /* it does not examine steps, so it can handle every program */
    const char *unsound; /* what it may miss, if it may: its result is never "verified" */
    /* Of the strategy, which begins with the struct below. It is all zeroes but for that when
       `init` is called, and its memory is the explorer's. */
    size_t size;
    void (*init)(strategy *); /* or NULL: zeroes suffice */
    void (*free)(strategy *);
    /* The next step after the current execution. */
    enum decision (*choose)(strategy *, step *);
    /* The step that was chosen has been appended. May be NULL. */
    void (*stepped)(strategy *);
    /* The execution has ended, with what `choose` returned. The target is still at its end. May be
     * NULL. */
    void (*ended)(strategy *, enum decision);
    /* Truncates the execution to where the next one starts to differ; false: all is explored. */
    bool (*backtrack)(strategy *);
    const strategy_work *work;   /* or NULL */
    const strategy_given *given; /* the same */
} strategy_class;

struct strategy {
    const strategy_class *class;
    exploration *exploration;
};

#endif
