/* The search of observed_search.h with don't-do sets: what a rule has put into them is not
 * explored.
 *
 * A branch of a wakeup tree that begins with a forbidden step is dropped. Wakeup sequences that
 * were inserted below it only because they are independent of it are inserted again
 * (dpor/remembered.h). */
#ifndef HEDDLE_DPOR_OBSERVERS_PRUNED_SEARCH_H
#define HEDDLE_DPOR_OBSERVERS_PRUNED_SEARCH_H

#include "dpor/dontdo.h"
#include "dpor/observers/observed_search.h"
#include "dpor/remembered.h"

typedef struct pruned_search {
    observed_search observed; /* first: it is a search with observers */
    dontdo_stack dontdo;
    remembered_pool remembered;
    step_sequence inserted;
} pruned_search;

void pruned_search_init(pruned_search *, const search_rule *);
void pruned_search_free(pruned_search *);

/* A strategy's `ended`. */
void pruned_search_ended(strategy *, enum decision);

/* ---- parts of a rule ---- */

void pruned_search_descend(search *, const event *taken);
void pruned_search_ascend(search *, uint32_t length, const event *done);
bool pruned_search_skips(const search *, uint32_t thread, uint32_t choice);
bool pruned_search_drops(search *, uint32_t child);

#define PRUNED_SEARCH_RULE                                                              \
    OBSERVED_SEARCH_RULE, .ascend = pruned_search_ascend, .skips = pruned_search_skips, \
                          .drops = pruned_search_drops, .when_skipped = DECISION_PRUNED

#endif
