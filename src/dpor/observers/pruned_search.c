#include "dpor/observers/pruned_search.h"

/* Inserts the plan, and remembers it if it was inserted below a child that it does not contain. */
static wakeup_end insert(observed_search *o) {
    pruned_search *p = (pruned_search *)o;
    sequence_copy(&p->inserted, &o->plan);
    wakeup_end end = observed_search_insert(o);
    if (end.independent) {
        remembered_add(&p->remembered, end.node, &p->inserted, o->search.reversal.position);
    }
    return end;
}

void pruned_search_init(pruned_search *p, const search_rule *rule) {
    observed_search_init(&p->observed, rule, insert);
    dontdo_init(&p->dontdo);
    remembered_init(&p->remembered);
}

void pruned_search_free(pruned_search *p) {
    p->observed.search.base.exploration->dont_do = p->dontdo.most;
    observed_search_free(&p->observed);
    dontdo_free(&p->dontdo);
    remembered_free(&p->remembered);
    vector_free(&p->inserted);
}

bool pruned_search_skips(const search *s, uint32_t thread, uint32_t choice) {
    return dontdo_contains(&((const pruned_search *)s)->dontdo,
                           execution_length(search_execution(s)), thread, choice);
}

bool pruned_search_drops(search *s, uint32_t child) {
    pruned_search *p = (pruned_search *)s;
    uint32_t thread = wakeup_at(&s->forest, child)->thread;
    if (!pruned_search_skips(s, thread, wakeup_at(&s->forest, child)->choice)) {
        return false;
    }
    uint32_t length = execution_length(search_execution(s));
    uint32_t list = remembered_take(&p->remembered, &s->forest, child);
    search_drop_first(s);
    s->reversal.position = length;
    for (uint32_t i = list; i != REMEMBERED_NONE; i = remembered_next(&p->remembered, i)) {
        if (!remembered_contains(&p->remembered, i, search_execution(s), length, thread,
                                 &p->observed.plan)) {
            insert(&p->observed);
        }
    }
    remembered_drop(&p->remembered, list);
    return true;
}

static void forget_below(pruned_search *p, uint32_t node) {
    remembered_drop(&p->remembered,
                    remembered_take(&p->remembered, &p->observed.search.forest, node));
}

void pruned_search_descend(search *s, const event *taken) {
    pruned_search *p = (pruned_search *)s;
    uint32_t node = vector_last(&s->roots);
    observed_search_descend(s, taken);
    dontdo_descend(&p->dontdo, taken);
    if (wakeup_at(&s->forest, node)->first_child == WAKEUP_NONE) {
        forget_below(p, node);
    }
}

void pruned_search_ascend(search *s, uint32_t length, const event *done) {
    dontdo_ascend(&((pruned_search *)s)->dontdo, length);
    observed_search_ascend(s, length, done);
}

void pruned_search_ended(strategy *s, enum decision decision) {
    pruned_search *p = (pruned_search *)s;
    if (decision != DECISION_MAXIMAL) {
        forget_below(p, vector_last(&p->observed.search.roots));
    }
    observed_search_ended(s, decision);
}
