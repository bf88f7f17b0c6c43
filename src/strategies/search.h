/* The search with wakeup trees: optimal-DPOR (JACM 2017, Algorithm 2, with locks as Algorithm 4 and
 * general blocking as Algorithm 6), and what is built on it.
 *
 * Races are looked for at maximal executions only, from the side of the earlier event: for every e
 * with w = notdep(e,E), and every other thread p whose first step outside E'.w conflicts with e
 * and can be taken after E'.w, the sequence w.p is inserted. This one rule contains the reversible
 * races of line 3 (the second event of a race is the first of its thread that happens after the
 * first), the lock races of Algorithm 4, lines 8-14 (behind an acquisition e, the next acquisition
 * by p is the first step of p outside, whatever unlocks lie between), and the awaits of Algorithm
 * 6; inserting a sequence that is not strictly needed changes nothing but the order. The proof and
 * the deviations are in docs/ALGORITHMS.md.
 *
 * A strategy may forbid steps, if whether a step is allowed depends on its causal past alone; a
 * thread whose step is not allowed counts as blocked. */
#ifndef HEDDLE_STRATEGIES_SEARCH_H
#define HEDDLE_STRATEGIES_SEARCH_H

#include "core/reversal.h"
#include "core/sleep.h"
#include "core/touch.h"
#include "core/wakeup.h"
#include "explore/blocked.h"

typedef struct search search;

/* What a strategy does its own way. */
typedef struct search_rule {
    /* The step may be taken after the present execution. NULL: every step may. The target may be
       used for finding out. */
    bool (*allows)(search *, uint32_t thread, uint32_t choice, const operation *);
    /* The step conflicts with the first event of search.reversal and can be taken after
       E'.notdep(e,E): plans to do so, in all its alternatives. */
    void (*reverse)(search *, uint32_t thread, const operation *);
    /* Whether it is worth asking what a step of `thread` that varies would be in a new place,
       before e. */
    bool (*may_conflict)(search *, const event *e, uint32_t thread, const operation *);
    /* `reverse` also takes steps that vary and do not conflict, or cannot be taken, in that place:
       it looks for others. */
    bool tries_parts;
} search_rule;

struct search {
    strategy base;
    const search_rule *rule;
    sleep_stack sleep;      /* sleep(E') for every prefix E' */
    wakeup_forest forest;   /* wut(E') for every prefix: */
    VECTOR(uint32_t) roots; /* by length of the prefix */
    reversal reversal;
    blocked_list blocked;
    touch_map touches;
    kept_operation candidate;
    VECTOR(bool) refused; /* by thread: its step is not allowed after the present execution */
    bool asleep;          /* some thread is enabled, but asleep */
    bool all_may_race;    /* events that nobody touches later, too, because of steps that vary */
    bool unsuited;        /* the strategy gives up; set by its rule */
};

/* To be called by what a strategy has as `create` and `destroy`. */
void search_init(search *, const search_rule *);
void search_free(search *);

/* These are what a strategy has under those names. */
enum decision search_choose(strategy *, step *);
void search_stepped(strategy *);
void search_ended(strategy *, enum decision);
bool search_backtrack(strategy *);

/* Lines 6-7: inserts what search.reversal is, unless a sleeping step covers it. */
bool search_is_redundant(search *);
void search_insert(search *);

#endif
