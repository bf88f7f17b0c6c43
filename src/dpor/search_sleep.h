/* The search of search.h with sleep sets: a step that was explored after a prefix sleeps until
 * something conflicts with it (JACM 2017, Algorithm 2). Conflicts of footprints are the order of
 * events, and a wakeup sequence is a reversal: notdep(e,E) and one more step. */
#ifndef HEDDLE_DPOR_SEARCH_SLEEP_H
#define HEDDLE_DPOR_SEARCH_SLEEP_H

#include "dpor/search.h"
#include "dpor/sleep.h"

typedef struct search_sleep {
    search search;     /* first: it is a search */
    sleep_stack sleep; /* sleep(E') for every prefix E' */
} search_sleep;

void search_sleep_init(search_sleep *, const search_rule *);
void search_sleep_free(search_sleep *);

/* Parts of a rule. */
void search_sleep_descend(search *, const event *taken);
void search_sleep_ascend(search *, uint32_t length, const event *done);
bool search_sleep_skips(const search *, uint32_t thread, uint32_t choice);
void search_sleep_start(search *);
void search_sleep_open(search *, uint32_t position);

#define SEARCH_SLEEP_RULE                                                                        \
    .descend = search_sleep_descend, .ascend = search_sleep_ascend, .skips = search_sleep_skips, \
    .when_skipped = DECISION_REDUNDANT, .start = search_sleep_start, .open = search_sleep_open,  \
    .conflict = footprint_conflict

/* Line 6: some sleeping step after E' is a weak initial of search.reversal. */
bool search_is_redundant(search *);
/* Line 7: inserts it. */
void search_insert(search *);

#endif
