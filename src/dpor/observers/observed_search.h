/* The search of search.h where writes are ordered only if observed: optimal-DPOR with observers
 * (TACAS 2018, Algorithm 1, corrected as docs/ALGORITHMS.md describes).
 *
 * Two writes race only if the later one is observed. To reverse such a race, the wakeup sequence
 * has to contain an observer, after both writes in their new order (line 8); every other race is
 * reversed as in optimal-DPOR (line 10). Happens-before is that of the whole execution
 * (dpor/observed.h), and instead of sleep sets every prefix has a watch, which decides redundancy
 * (line 11) in one pass (dpor/watch.h). */
#ifndef HEDDLE_DPOR_OBSERVERS_OBSERVED_SEARCH_H
#define HEDDLE_DPOR_OBSERVERS_OBSERVED_SEARCH_H

#include "dpor/observed.h"
#include "dpor/observers/observed_check.h"
#include "dpor/search.h"
#include "dpor/watch.h"

typedef struct observed_search observed_search;

struct observed_search {
    search search; /* first: it is a search */
    /* Line 12: inserts the plan, which is used up, at E'. */
    wakeup_end (*insert)(observed_search *);
    watch_stack watches; /* done(E'), and what has become of those of shorter prefixes */
    observed_order order;
    uint32_t same; /* events at the start that are the same as when the order was computed */
    VECTOR(uint32_t) rows;    /* a row per thread: reversal.end of its last event that was opened */
    VECTOR(uint32_t) readers; /* the observers of the current race */
    step_sequence plan;       /* the sequence that may be explored */
    VECTOR(step) steps;
    VECTOR(step) path; /* from the root of the tree to the current node */
    watch node;        /* the messages that wait at that node */
    watch trial;
    observed_check *check; /* debug builds only */
};

void observed_search_init(observed_search *, const search_rule *,
                          wakeup_end (*insert)(observed_search *));
void observed_search_free(observed_search *);

/* A strategy's `ended`. */
void observed_search_ended(strategy *, enum decision);

/* ---- parts of a rule ---- */

void observed_search_descend(search *, const event *taken);
void observed_search_ascend(search *, uint32_t length, const event *done);
/* The pending operation is a section that does not have this choice. */
static inline bool observed_search_is_other_section(const operation *pending, uint32_t choice) {
    return operation_has_role(pending->kind, ROLE_SECTION) && pending->flags & OPERATION_VARIES &&
           !operation_has_alternative(pending, choice);
}
bool observed_search_is_unsuited(const search *, uint32_t thread, uint32_t choice);
bool observed_search_is_covered(const search *);
void observed_search_start(search *);
void observed_search_open(search *, uint32_t position);
bool observed_search_conflict(footprint, footprint);
void observed_search_consider(search *, uint32_t thread, const operation *, uint32_t second);

#define OBSERVED_SEARCH_RULE                                                              \
    .is_unsuited = observed_search_is_unsuited, .is_covered = observed_search_is_covered, \
    .open = observed_search_open, .conflict = observed_search_conflict,                   \
    .consider = observed_search_consider

/* ---- wakeup sequences ---- */

/* The plan becomes notdep(e,E). */
void observed_search_plan_notdep(observed_search *);
/* Lines 11-12: inserts the plan, unless it is redundant. */
void observed_search_try(observed_search *);
/* Line 10: notdep(e,E) and the alternative. */
void observed_search_try_last(observed_search *, uint32_t thread, uint32_t choice, footprint);
/* Section 5, "insert": the plan, at E'. */
wakeup_end observed_search_insert(observed_search *);

#endif
