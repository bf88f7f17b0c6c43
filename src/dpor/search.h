/* The search with wakeup trees: optimal-DPOR (JACM 2017, Algorithm 2, with locks as Algorithm 4 and
 * general blocking as Algorithm 6), and what is built on it.
 *
 * Every prefix of the current execution has a wakeup tree; the first child is explored, then the
 * next one. Races are looked for at maximal executions only, from the side of the earlier event:
 * for every e with w = notdep(e,E), and every other thread p whose first step outside E'.w
 * conflicts with e and can be taken after E'.w, the sequence w.p is inserted. This one rule
 * contains the reversible races of line 3 (the second event of a race is the first of its thread
 * that happens after the first), the lock races of Algorithm 4, lines 8-14 (after an acquisition e,
 * the next acquisition by p is the first step of p outside, whatever unlocks lie between), and the
 * awaits of Algorithm 6; inserting a sequence that is not strictly needed changes nothing but the
 * order. The proof and the deviations are in docs/ALGORITHMS.md.
 *
 * What differs between strategies is in their rules: what is remembered of explored steps
 * (search_sleep.h: sleep sets), the order of events, what a race is, which sequence reverses it,
 * which steps are left out. */
#ifndef HEDDLE_DPOR_SEARCH_H
#define HEDDLE_DPOR_SEARCH_H

#include "dpor/reversal.h"
#include "dpor/touch.h"
#include "dpor/wakeup.h"
#include "explore/blocked.h"

typedef struct search search;

typedef struct search_rule {
    /* ---- exploration; where NULL is possible, it means "never" or "nothing" ---- */

    /* The event has been taken; its node of the tree is the last of search.roots. */
    void (*descend)(search *, const event *taken);
    /* Goes back to the prefix of that length, after which `done` was explored completely. */
    void (*ascend)(search *, uint32_t length, const event *done);
    /* The alternative need not be explored after the current execution. May be NULL. */
    bool (*skips)(const search *, uint32_t thread, uint32_t choice);
    /* How an execution ends that could only continue with such steps. */
    enum decision when_skipped;
    /* Whether the step may be taken after the current execution; if not, its thread counts as
     * blocked. The answer must depend on the step's causal past alone. The target may be used to
     * find out. NULL: every step may be taken. */
    bool (*allows)(search *, uint32_t thread, uint32_t choice, const operation *);
    /* Drops the first child of the tree, with everything below it, if it must not be explored. May
     * be NULL. */
    bool (*drops)(search *, uint32_t child);
    /* The step that is planned next has become one that the strategy cannot handle exactly. May be
     * NULL. */
    bool (*is_unsuited)(const search *, uint32_t thread, uint32_t choice);
    /* The current execution, which has ended, is covered by others. May be NULL. */
    bool (*is_covered)(const search *);

    /* ---- race detection ---- */

    /* An execution has ended: its events will be opened from right to left. */
    void (*start)(search *);
    /* Makes search.reversal E' and notdep(e,E) for the event e at `position`: its `position`,
     * `end`, `after`, and `events`, unless reversal_find_events fills those. */
    void (*open)(search *, uint32_t position);
    /* Whether two steps race unconditionally: used for a step that varies, in its new place. */
    bool (*conflict)(footprint, footprint);
    /* e and what another thread does after it, at position `second`, or has pending at the end of
     * the execution (POSITION_NONE); they conflict, or that step varies. Passes what may be
     * reversed to search_place. */
    void (*consider)(search *, uint32_t thread, const operation *, uint32_t second);
    /* The step conflicts with e and can be taken after E'.notdep(e,E): plans to do so, in all its
       alternatives. */
    void (*reverse)(search *, uint32_t thread, const operation *, uint32_t second);
    /* `reverse` also accepts steps that vary and do not conflict, or cannot be taken, in that
     * place: it looks for other places. */
    bool tries_parts;
} search_rule;

struct search {
    strategy base;
    const search_rule *rule;
    wakeup_forest forest;   /* wut(E') for every prefix: */
    VECTOR(uint32_t) roots; /* by length of the prefix */
    reversal reversal;      /* of the current event, during race detection */
    blocked_list blocked;
    later_users touches;
    kept_operation candidate;
    saved_reversal whole; /* the reversal, while it is made smaller */
    VECTOR(bool) refused; /* by thread: its step is not allowed after the current execution */
    bool skipped;         /* some thread is enabled, but all its alternatives are skipped */
    bool all_may_race; /* also events whose objects no other thread accesses later, because of steps
                          that vary */
    bool unsuited;     /* the strategy gives up; set by its rule */
};

/* To be called by `init` and `free` of a strategy. */
void search_init(search *, const search_rule *);
void search_free(search *);

/* A strategy uses these as its functions of the same names. */
enum decision search_choose(strategy *, step *);
void search_stepped(strategy *);
void search_ended(strategy *, enum decision);
bool search_backtrack(strategy *);

#define SEARCH_STRATEGY \
    .choose = search_choose, .stepped = search_stepped, .backtrack = search_backtrack

/* Drops the first child of the current execution's tree, with everything below it. */
void search_drop_first(search *);

/* A rule's `consider`: places every step that conflicts with e, or that varies and is caused by
 * e. */
void search_consider(search *, uint32_t thread, const operation *, uint32_t second);

/* The pending operation of the thread after E'.notdep(e,E); NULL: none. Valid until the target is
 * used. */
const operation *search_probe(search *, uint32_t thread);

/* Whether the step can be taken after E'.notdep(e,E); then it is reversed. */
void search_place(search *, uint32_t thread, const operation *, uint32_t second);

static inline const execution *search_execution(const search *s) {
    return &s->base.exploration->execution;
}

/* For a rule's `descend`: the event is the step that was planned. */
static inline void search_check_planned(const search *s, const event *taken) {
    DEBUG_CHECK(wakeup_at(&s->forest, vector_last(&s->roots))->footprint == taken->footprint);
    (void)s, (void)taken;
}

/* e. */
static inline const event *search_first(const search *s) {
    return execution_event(s->reversal.execution, s->reversal.position);
}

#endif
