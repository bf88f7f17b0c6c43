/* Optimal context-sensitive DPOR as it was published (ISSTA 2019, Algorithms 1 and 2), for
 * comparison. Both miss behaviours: docs/ALGORITHMS.md explains why, and a run that finds no error
 * is never "verified".
 *
 * Everything follows the definitions, regardless of speed: happens-before is a matrix. What the
 * paper's language lacks (locks, conditions) is treated as memory that is written. The tree and the
 * walk over it are those of search.h; races are detected here. */
#ifndef HEDDLE_DPOR_PUBLISHED_PUBLISHED_H
#define HEDDLE_DPOR_PUBLISHED_PUBLISHED_H

#include "dpor/comparison.h"
#include "dpor/search.h"
#include "dpor/sequence.h"

#define PUBLISHED_STRATEGY                                                              \
    .unsound = "published-context and published-context-observers may miss behaviours", \
    .states_only = true, SEARCH_STRATEGY, .ended = published_ended

typedef VECTOR(uint32_t) positions;
typedef VECTOR(step_sequence) sequences;

typedef struct published published;

/* What the two algorithms do differently. */
typedef struct published_rule {
    search_rule search; /* first: it is the rule of a search */
    /* In a sequence of events of E, given by their positions: the event at place a comes before the
     * event at the later place b, of another thread, because of what they access. */
    bool (*is_ordered)(const published *, const uint32_t *sequence, uint32_t count, uint32_t a,
                       uint32_t b);
    /* What becomes of a forbidden sequence when a step is taken: returns false if the sequence is
     * dropped; otherwise its step at *at is removed, unless *at is its length. */
    bool (*inherits)(const step_sequence *, const event *taken, uint32_t *at);
    /* The plan is in redundant(E',done), where E' has that length. */
    bool (*is_redundant)(published *, uint32_t length);
    /* Whether a child of the tree is a weak initial of the plan, and what to do before the first
     * such test at E' (NULL: nothing). */
    wakeup_weak_initial *is_weak_initial;
    void (*start_insertion)(published *, uint32_t length);
    /* The race of the events at e and `second`. */
    void (*reverse)(published *, uint32_t e, uint32_t second);
} published_rule;

struct published {
    search search;         /* first: it is a search */
    VECTOR(sequences) dnd; /* dnd(E'), by length of the prefix */
    VECTOR(bool) before;   /* happens-before of E, a row per later event */
    positions v, rest;
    step_sequence plan, dont;
    comparison comparison;
    uint32_t most, held; /* sequences in don't-do sets */
};

void published_init(published *, const published_rule *);
void published_free(published *);
void published_ended(strategy *, enum decision);

/* ---- parts of a rule ---- */

void published_descend(search *, const event *taken);
void published_ascend(search *, uint32_t length, const event *done);
bool published_skips(const search *, uint32_t thread, uint32_t choice);
bool published_drops(search *, uint32_t child);

#define PUBLISHED_RULE \
    .skips = published_skips, .when_skipped = DECISION_PRUNED, .drops = published_drops

/* ---- sequences (published_order.c) ---- */

static inline const event *published_event(const published *p, uint32_t position) {
    return execution_event(search_execution(&p->search), position);
}

/* Adds the events of v that are not later than `last`. */
void published_add_up_to(const published *, uint32_t last, positions *);
bool published_happens_before(const published *, uint32_t a, uint32_t b);
void published_compute_order(published *);
/* e is in a race with the event at `second` that can be reversed. */
bool published_is_race(const published *, uint32_t e, uint32_t second);
/* v := v.ance(e,e',E), v := v.I_fut(E',v,E). */
void published_add_ancestors(published *, uint32_t e, uint32_t second);
void published_add_future_initials(published *, uint32_t e);
void published_make_plan(const published *, const positions *, step_sequence *plan);

/* ---- races ---- */

/* Runs the events after the first `length` ones. */
bool published_run(published *, uint32_t length, const positions *);
/* Lines 37-39 and 76-78: the race of the events at e and `second`, without observers. */
void published_reverse(published *, uint32_t e, uint32_t second);
/* Lines 40-42 and 79-81: inserts v at the prefix of that length, unless it is redundant; then
 * `dont` is forbidden there, if `has_dont`. */
void published_plan(published *, uint32_t length, bool has_dont);

#endif
