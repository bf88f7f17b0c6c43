/* The second seam: an algorithm. One file in dpor/ and one line in its registry.
 *
 * The explorer asks `choose` for every step and notifies the strategy where an execution ended; the
 * strategy cuts the execution back to where the next one branches off and continues choosing. What
 * it keeps per node is its own business. Nothing here knows of a tree or a stack, so that work
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
    DECISION_NOTHING,   /* the strategy only wanted to look at what it has; not an exploration */
    DECISION_UNSUITED,  /* the program does something that the strategy cannot treat exactly */
    /* The program does something that the strategy cannot treat at all: exploration.refused. */
    DECISION_UNSUPPORTED,
    DECISION_FOREIGN, /* the program cannot take a step of the work that came as bytes */
};

/* Work that is left, in pieces that any process can do that runs the program; of a strategy that
 * has such pieces. Called between executions, when the strategy has been notified of the end of one
 * and has not gone back yet. */
typedef struct strategy_work {
    uint32_t (*count)(strategy *);
    /* How many steps of that piece are given: pieces of one length stand for similar amounts. */
    uint32_t (*length)(const strategy *, uint32_t number);
    /* Appends the oldest `count` pieces, which stand for the most work, or those from number
       `first` on, as bytes. They stay here. */
    void (*encode)(strategy *, uint32_t first, uint32_t count, bytes *);
    /* Forgets the oldest `count` pieces: somebody else does them. */
    void (*drop)(strategy *, uint32_t count);
    /* Gives back the memory that pieces have left. */
    void (*trim)(strategy *);
    /* Adds what was encoded, as older than all that is here. False: the bytes are no work of this
       program; nothing was added. */
    bool (*decode)(strategy *, byte_reader *);
    /* The steps of the piece that is done next, as far as they are given. Returns how many. */
    uint32_t (*steps)(const strategy *, const step **steps);
} strategy_work;

/* Executions that begin with steps that are given, and the orders that their steps can have; of a
 * strategy with versions. */
typedef struct strategy_given {
    /* The next step of all executions is this one, which is taken at once. False: it is not
       possible. */
    bool (*follow)(strategy *, step);
    /* Appends the numbers of steps that come before that one in every order; those that come before
       them may be left out. */
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
    /* It covers final states instead of traces: what shows only on the way, a data race, may be
       passed over. */
    bool states_only;
    /* It can treat operations of one object that are ordered with some of the others and
       independent of some (target.h: `fine`). */
    bool fine;
    /* Who reads a write decides what is ordered: once plain accesses race, all of them are steps.
     */
    bool observes;
    bool exhaustive;     /* it explores all interleavings, whatever the steps are */
    bool versions;       /* a read need not return what was written last (target.h) */
    bool any_order;      /* what it explores does not depend on who is picked first */
    bool any_steps;      /* it does not ask what steps are, so that it suits every program */
    const char *unsound; /* what it may miss, if it may: its result is never "verified" */
    /* Of the strategy, which begins with the struct below. It is all zeroes but for that when
       `init` is called, and its memory is the explorer's. */
    size_t size;
    void (*init)(strategy *); /* or NULL: zeroes will do */
    void (*free)(strategy *);
    /* The next step after the current execution. */
    enum decision (*choose)(strategy *, step *);
    /* The step that was chosen has been appended. May be NULL. */
    void (*stepped)(strategy *);
    /* The execution has ended as `choose` said. The target still stands at its end. May be NULL. */
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
