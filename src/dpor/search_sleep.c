#include "dpor/search_sleep.h"

void search_sleep_init(search_sleep *s, const search_rule *rule) {
    search_init(&s->search, rule);
    sleep_init(&s->sleep);
}

void search_sleep_free(search_sleep *s) {
    search_free(&s->search);
    sleep_free(&s->sleep);
}

void search_sleep_descend(search *s, const event *taken) {
    search_check_planned(s, taken);
    sleep_descend(&((search_sleep *)s)->sleep, taken);
}

void search_sleep_ascend(search *s, uint32_t length, const event *done) {
    sleep_stack *sleep = &((search_sleep *)s)->sleep;
    sleep_ascend(sleep, length);
    DEBUG_INVARIANT(sleep_check(sleep, search_execution(s)));
    sleep_add(sleep, sequence_step_of(done));
}

bool search_sleep_skips(const search *s, uint32_t thread, uint32_t choice) {
    return sleep_contains(&((const search_sleep *)s)->sleep, execution_length(search_execution(s)),
                          thread, choice);
}

void search_sleep_start(search *s) {
    reversal_start(&s->reversal, search_execution(s));
}

void search_sleep_open(search *s, uint32_t position) {
    reversal_open(&s->reversal, position);
}

bool search_is_redundant(search *s) {
    const sleep_stack *sleep = &((search_sleep *)s)->sleep;
    reversal *r = &s->reversal;
    const sleeper *end = sleep_end(sleep, r->position);
    for (const sleeper *q = sleep_begin(sleep, r->position); q < end; q++) {
        if (reversal_initial(r, q->thread, q->choice, q->footprint) != INITIAL_NOT) {
            return true;
        }
    }
    return false;
}

void search_insert(search *s) {
    uint32_t root = vector_at(&s->roots, s->reversal.position);
    wakeup_insert(&s->forest, root, &s->reversal);
    DEBUG_INVARIANT(wakeup_check(&s->forest, root));
}
